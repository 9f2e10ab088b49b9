// What the Node process behind `link.py` runs: it does what Python asks for, one thing after the other, until there is no
// more input. A message is two numbers of 32 bits (bytes of what follows as JSON, words behind it), the JSON, and words
// of a state. While a routine runs, its host is asked by messages that go the other way, and answered by `go` or `stop`.
// It runs in a thread, with a stack as long as rules may want; the first thread ends the process with its parent, also
// when rules go on for ever.
import { readSync, writeSync } from "node:fs";
import { Worker, isMainThread } from "node:worker_threads";

const INPUT = 0, OUTPUT = 1, STOPPED = Symbol("a host raised something");
const STACK = 64;   // MiB
const LOOK = 500;   // milliseconds
const NEVER = new Int32Array(new SharedArrayBuffer(4));
const programs = [];

/** What a call answers, once the pipe is ready for it: Node may have told it not to wait. */
function patiently(call) {
    for (;;) {
        try {
            return call();
        } catch (error) {
            if (error.code !== "EAGAIN") throw error;
            Atomics.wait(NEVER, 0, 0, 1);
        }
    }
}
function read(size) {
    const found = Buffer.alloc(size);
    for (let at = 0; at < size;) {
        const count = patiently(() => readSync(INPUT, found, at, size - at, null));
        if (!count) process.exit();
        at += count;
    }
    return found;
}
function receive() {
    const head = read(8), words = head.readInt32LE(4);
    const message = JSON.parse(read(head.readInt32LE(0)).toString());
    if (words) message.S = new Int32Array(Uint8Array.from(read(4 * words)).buffer);
    return message;
}
function send(message, S = null) {
    const text = Buffer.from(JSON.stringify(message)), head = Buffer.alloc(8);
    head.writeInt32LE(text.length, 0);
    head.writeInt32LE(S ? S.length : 0, 4);
    const whole = Buffer.concat([head, text, S ? Buffer.from(S.buffer) : Buffer.alloc(0)]);
    for (let at = 0; at < whole.length;) at += patiently(() => writeSync(OUTPUT, whole, at));
}

/** The host of a request: it passes on what it hears, with the words as they are then. */
function host({ logs }, S) {
    const ask = (kind, number = 0, args = []) => {
        send({ kind, number, args }, S);
        for (;;) {
            const message = receive();
            if (message.do === "go") return message.value;
            if (message.do === "stop") throw STOPPED;
            serve(message);
        }
    };
    const log = (kind) => (number, args) => logs && ask(kind, number, args);
    return {
        open: log("open"), line: log("line"), close: log("close"), settle: log("settle"), curtain: () => ask("curtain"),
        curtainEnd: () => ask("curtain_end"), die: (bound) => ask("die", bound),
    };
}

// What changes the state answers its words too.
const PLAYING = {
    begin: (rules, S, m) => rules.begin(S, m.hears ? host(m, S) : null),
    resume: (rules, S, m) => rules.resume(S, m.hears ? host(m, S) : null, m.option),
    call: (rules, S, m) => rules.call(S, m.hears ? host(m, S) : null, m.name, m.args),
    callPlain: (rules, S, m) => rules.callPlain(S, m.name, m.args),
    playout: (rules, S) => rules.playout(S),
    sample: (rules, S) => rules.sample(S),
};
const ASKING = {
    options: (rules, S) => rules.options(S),
    why: (rules, S, m) => rules.why(S, m.name, m.args),
    pure: (rules, S, m) => rules.pure(S, m.name, m.args),
    score: (rules, S, m) => rules.score(S, m.player),
    tiebreak: (rules, S, m) => rules.tiebreak(S, m.player),
    invariants: (rules, S) => rules.invariants(S),
    watch: (rules, S, m) => rules.watch(m.most, m.invariants),
};

function serve(message) {
    const rules = programs[message.program], { S } = message, plays = PLAYING[message.do];
    try {
        const found = (plays ?? ASKING[message.do])(rules, message.guarded ? rules.guarded(S) : S, message);
        send({ found: found ?? null }, plays && S);
    } catch (error) {
        send({ failed: failed(error, rules) }, plays && S);
    }
}
function failed(error, rules) {
    if (error === STOPPED) return { kind: "host" };
    if (error instanceof rules.Refused) return { kind: "refused", number: error.reason, args: error.args };
    if (!(error instanceof rules.RuleError)) return { kind: "internal", text: String(error?.stack ?? error) };
    const { code, text, span, because } = error;
    return { kind: "rule", code, text, span, because };
}

async function serveAll() {
    Error.stackTraceLimit = 1000;  // for the rules that were running when the stack ran out
    for (;;) {
        const message = receive();
        if (message.do === "load") {
            const named = `${message.text}//# sourceURL=rules${programs.length}.mjs\n`;
            programs.push(await import(`data:text/javascript;base64,${Buffer.from(named).toString("base64")}`));
            send({ found: programs.length - 1 });
        } else serve(message);
    }
}

if (isMainThread) {
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.exit(), LOOK);
    const worker = new Worker(new URL(import.meta.url), { stdout: true, resourceLimits: { stackSizeMb: STACK } });
    worker.on("exit", (status) => process.exit(status));
} else await serveAll();

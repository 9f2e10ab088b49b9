// What a generated module stands on. The state S is an Int32Array, laid out as on every backend; a game keeps nothing
// beside it. Numbers are exact up to 2**53 - 1. Names that end with an underscore are not for those who import it.

/** A rule went wrong while a game was played: the words of the state are then of no more use. `span` is the author's
    place: [path, line, column, last line, last column]. */
export class RuleError extends Error {
    constructor(code, message, span = null, because = "") {
        super(`${code}: ${message}`);
        Object.assign(this, { code, text: message, span, because });
    }
}

/** An `ensure` was false; `reason` is its number in `table.reasons`. */
export class Refused {
    constructor(reason, args) {
        this.reason = reason;
        this.args = args;
    }
}

const AUTO_ = false;            // the host of a playout from a paused game
const RETURN_ = 1;              // pc of the frame that lies under a host's call
const more_ = [0];              // of a function that answers several values, all but the first
let facts_ = {};                // tables of messages, from the generated part
let due_ = 100000;              // decisions of a game from which on something is looked at
let most_ = 100000;
let initial_ = null;            // the words of a new game, when they were first wanted
let refused_ = null;            // an `ensure` was false: routines return until one is there that tried
let holding_ = false;

// ---- what fails

function fail_(number, ...args) {
    const [code, span, message] = facts_.fails[number];
    throw new RuleError(code, message.replace(/\{(\d+)\}/g, (_, at) => String(args[at] + 0)), facts_.spans[span]);
}
function range_(number, value) {
    const [what, low, high, span] = facts_.ranges[number];
    const allowed = low === null ? `at most ${high}` : high === null ? `at least ${low}` : `${low} to ${high}`;
    throw new RuleError("X601", `${what} would become ${value}; it may be ${allowed}`, facts_.spans[span]);
}
function steps_(span) {
    budget_("X605", "the rules went on too long without a decision", span);
}
function deep_(span) {
    budget_("X606", "the rules call each other too deeply", span);
}
function stack_(span) {
    budget_("X608", "too much waits for this decision: the control stack is full", span);
}
/** Told with the rules that are running, as far as the engine notes them. */
function budget_(code, message, span) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = Infinity;
    const error = new RuleError(code, message, facts_.spans[span]);
    Error.stackTraceLimit = stackTraceLimit;
    error.because = cycle_(running_(error));
    throw error;
}
/** Titles of the functions in the trace of an error, the innermost first. */
function running_(error) {
    // "    at Array.r_deal [as 7] (file)" and the like; elsewhere "r_deal@file".
    const head = /^\s*(?:at )?(?:\w+\.)*(\w+)(?: \[as .*\])?(?: \(|@)/;
    const names = String(error.stack).split("\n").map((line) => head.exec(line)?.[1]);
    return names.filter((name) => Object.hasOwn(facts_.titles, name)).map((name) => facts_.titles[name]);
}
/** The cycle that the innermost function stands in, or where it stands. */
function cycle_(titles) {
    if (!titles.length) return "";
    const again = titles.indexOf(titles[0], 1), shown = titles.slice(0, again < 0 ? 8 : again + 1).reverse();
    return `${again < 0 ? "it was in" : "they go round"}: ${shown.join(" \u2192 ")}`;
}
function beyond_(number) {
    throw new RuleError("X610", `${number} is too large`);
}

// ---- numbers

function modulo_(a, b) {
    const rest = a % b;
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** One of 0 .. n - 1 from the generator whose words lie at x and c; n is below 2**31. Products have up to 61 bits: what
    a double makes of them is off by 128 at most, and their last 30 bits are known. */
function draw_(S, x, c, n) {
    const a = S[x], b = S[c], mixed = a ^ b;
    if (n > 2147483647) beyond_(n);
    const low = Math.imul(a, 998578647) + b & 1073741823;
    S[x] = low;
    S[c] = (a * 998578647 + (b - low)) / 1073741824 + 0.5;
    return (mixed * n - (Math.imul(mixed, n) & 1073741823)) / 1073741824 + 0.5 | 0;
}

// ---- lists and zones; a zone is [count, item, ...]

function items_(S, zone) {
    const items = [], end = zone + S[zone];
    for (let at = zone + 1; at <= end; at++) items.push(S[at]);
    return items;
}
function lay_(S, at, items) {
    S[at] = items.length;
    S.set(items, at + 1);
}
function has_(S, zone, value) {
    const end = zone + S[zone];
    for (let at = zone + 1; at <= end; at++) if (S[at] === value) return true;
    return false;
}
/** Whether none of the first items of a zone looks like the value. */
function first_(S, zone, count, value, looks) {
    const look = looks[value];
    for (let at = zone + 1; at <= zone + count; at++) if (looks[S[at]] === look) return false;
    return true;
}
/** The items of a zone whose looks did not come before. */
function distinct_(S, zone, looks) {
    const found = [], end = zone + S[zone];
    next: for (let at = zone + 1; at <= end; at++) {
        const look = looks[S[at]];
        for (let i = 0; i < found.length; i++) if (looks[found[i]] === look) continue next;
        found.push(S[at]);
    }
    return found;
}
/** Keys are numbers, or lists of as many numbers. */
function compare_(one, other) {
    if (typeof one === "number") return one - other;
    for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return one[i] - other[i];
    return 0;
}
/** By keys, equal ones in their order. Lists are short: each item goes down to its place. */
function sort_(items, key) {
    const keys = [];
    for (let i = 0; i < items.length; i++) {
        const item = items[i], mine = key(item);
        let at = i;
        for (; at > 0 && compare_(keys[at - 1], mine) > 0; at--) {
            keys[at] = keys[at - 1];
            items[at] = items[at - 1];
        }
        keys[at] = mine;
        items[at] = item;
    }
}
/** Leaves the items whose keys are the largest. */
function best_(items, key) {
    if (items.length < 2) return;
    let best = null, kept = 0;
    for (let i = 0; i < items.length; i++) {
        const found = key(items[i]), than = best === null ? 1 : compare_(found, best);
        if (than > 0) {
            best = found;
            kept = 0;
        }
        if (than >= 0) items[kept++] = items[i];
    }
    items.length = kept;
}
function push_(S, zone, value) {
    S[zone + ++S[zone]] = value;
}
function slip_(S, zone, value) {
    for (let at = zone + ++S[zone]; at > zone + 1; at--) S[at] = S[at - 1];
    S[zone + 1] = value;
}
function drop_(S, zone, value) {
    const end = zone + S[zone];
    let at = zone + 1;
    while (S[at] !== value) if (++at > end) throw new Error("what is taken out of a zone does not lie there");
    for (; at < end; at++) S[at] = S[at + 1];
    S[zone]--;
}
function deal_(S, source, target, count, where, id) {
    for (let i = 0; i < count; i++) {
        const card = S[source + S[source]--];
        S[target + ++S[target]] = card;
        S[where + card] = id;
    }
}
function onto_(S, source, target, where, id) {
    const count = S[source];
    S[source] = 0;
    for (let at = source + 1; at <= source + count; at++) {
        S[target + ++S[target]] = S[at];
        S[where + S[at]] = id;
    }
}
function under_(S, source, target, where, id) {
    const count = S[source];
    S[source] = 0;
    for (let at = target + S[target]; at > target; at--) S[at + count] = S[at];
    for (let i = 1; i <= count; i++) {
        S[target + i] = S[source + i];
        S[where + S[source + i]] = id;
    }
    S[target] += count;
}
function shuffle_(S, zone, x, c) {
    for (let i = S[zone]; i > 1; i--) {
        const at = zone + 1 + draw_(S, x, c, i), item = S[at];
        S[at] = S[zone + i];
        S[zone + i] = item;
    }
}

// ---- words that may be none of a game: see `guarded`

const GUARD_ = {
    get(words, at) {
        const found = words[at];
        if (found === undefined) throw new Error(`there is no word ${String(at)}`);
        return typeof found === "function" ? found.bind(words) : found;
    },
    set(words, at, value) {
        if (words[at] === undefined) throw new Error(`there is no word ${String(at)}`);
        words[at] = value;
        return true;
    },
};

let guarding_ = false;

/** The same words for every function here, with each address tested that they go to: for a state that somebody else
    may have made. Slow, and copies of states are tested from then on. */
export function guarded(S) {
    if (!guarding_) spare_.length = 0;
    guarding_ = true;
    return new Proxy(S, GUARD_);
}

// ---- trials, on a copy of the state

const spare_ = [];
function copied_(S) {
    const copy = spare_.pop() ?? (guarding_ ? guarded : (words) => words)(new Int32Array(S.length));
    copy.set(S);
    return copy;
}
/** Whether a routine that ran on a copy was not refused. */
function tried_(copy) {
    const fine = refused_ === null;
    spare_.push(copy);
    refused_ = null;
    return fine;
}
/** Notes the reason for which a routine is refused, if it is, and what `more` tells of it. */
function blame_trial_(reasons, more, routine, S, ...args) {
    const copy = copied_(S);
    routine(copy, ...args);
    const refused = refused_;
    refused_ = null;
    if (refused === null) return;
    reasons.push([refused.reason, refused.args]);
    if (more !== null) more(copy, reasons, refused.reason, ...refused.args);
}
/** Outside of trials nothing is to be refused. */
function settle_() {
    const refused = refused_;
    refused_ = null;
    if (refused !== null) throw refused;
}

// ---- the seed of a game: 64 bits, here two halves, the high one first, since BigInts are slow

function times_([high, low], [otherHigh, otherLow]) {
    const one = (low & 65535) * otherLow, other = (low >>> 16) * otherLow;
    const carried = Math.floor((other + Math.floor(one / 65536)) / 65536);
    return [carried + Math.imul(high, otherLow) + Math.imul(low, otherHigh) >>> 0, Math.imul(low, otherLow) >>> 0];
}
function folded_([high, low], places) {
    return [(high ^ high >>> places) >>> 0, (low ^ (high << 32 - places | low >>> places)) >>> 0];
}
function mixed_([high, low]) {
    const sum = low + 0x7f4a7c15;
    const z = [high + 0x9e3779b9 + (sum > 4294967295 ? 1 : 0) >>> 0, sum >>> 0];
    const y = times_(folded_(z, 30), [0xbf58476d, 0x1ce4e5b9]);
    return folded_(times_(folded_(y, 27), [0x94d049bb, 0x133111eb]), 31);
}
function halves_(seed) {
    if (typeof seed === "number") return [Math.floor(seed / 4294967296) >>> 0, seed >>> 0];
    return [Number(seed >> 32n & 4294967295n), Number(seed & 4294967295n)];
}
function seeded_(S, x, c, seed) {
    const first = mixed_(seed), [high, low] = mixed_(first);
    S[x] = first[1] & 1073741823;
    S[c] = ((high * 65536 % 998578645) * 65536 + low) % 998578645 + 1;
}

// ---- playing. What is exported: the functions of a game, and its `table`.

const cells_ = () => facts_.cells;

/** Run, and tell the end of the machine's own stack as any chain of rules that is too long. */
function guarded_(run) {
    try {
        const found = run();
        settle_();
        return found;
    } catch (error) {
        if (!/call stack|recursion/.test(error.message)) throw error;
        throw new RuleError("X606", "the rules call each other too deeply", null, cycle_(running_(error)));
    }
}

/** The words of a new game. `seed` is a number or a BigInt; `policy`: seed also the generator of random playouts;
    `into`: words of a game that is over, to be used again. Whoever plays many spares himself much memory so. */
export function fresh(seed, policy = false, into = null) {
    initial_ ??= Int32Array.from(facts_.initial);
    const S = into ?? new Int32Array(initial_.length), cells = cells_(), [high, low] = halves_(seed);
    S.set(initial_);
    seeded_(S, cells.rng_x, cells.rng_c, [high, low]);
    const other = [(high ^ 0x706f) >>> 0, (low ^ 0x6c696379) >>> 0];
    if (policy) seeded_(S, cells.policy_x, cells.policy_c, mixed_(other));
    return S;
}

/** Run from the start to the first decision. Answers its options, [tag, values...] each, or null at the end.
    `host` hears open(template, args), line(template, args), close(), settle(), curtain(), curtainEnd(), and answers
    die(bound) with a fixed die or -1; it may be null. */
export function begin(S, host = null) {
    return guarded_(() => {
        S[cells_().steps] = 0;
        const found = start_(S, host, facts_.main, [], facts_.stack);
        if (found === null) close_(S);
        return found;
    });
}

/** Answer the pending decision with one of its options and run to the next; null at the end. */
export function resume(S, host, option) {
    return guarded_(() => drive_(S, host, S[cells_().frame], option));
}

/** The options of the pending decision once more; null if nothing is asked. */
export function options(S) {
    const frame = S[cells_().frame];
    return frame ? guarded_(() => facts_.again[S[frame]](S, frame)) : null;
}

/** Run one routine of `table.callable` above the pending decision. */
export function call(S, host, routine, args) {
    return guarded_(() => {
        const cells = cells_(), name = facts_.callable[routine], waiting = S[cells.frame];
        const base = waiting ? waiting + facts_.sizes[S[waiting]] : facts_.stack;
        S[cells.steps] = 0;
        if (!facts_.pausing.has(name)) {
            start_(S, host, name, args, base);
            return options(S);
        }
        if (base + 5 > facts_.size) stack_(0);
        S.set([RETURN_, 0, S[cells.site], S[cells.decider], waiting], base);
        S[cells.site] = S[cells.decider] = S[cells.frame] = 0;
        const found = start_(S, host, name, args, base + 5);
        if (found === null) return back_(S, base);
        S[base + 6] = base;
        return found;
    });
}

/** Play at random to the end, from a fresh state or a pending decision. */
export function playout(S) {
    guarded_(() => {
        const cells = cells_();
        if (S[cells.frame]) {
            let found = options(S);
            while (found !== null) {
                const at = draw_(S, cells.policy_x, cells.policy_c, found.length);
                found = drive_(S, AUTO_, S[cells.frame], found[at]);
            }
        } else {
            S[cells.steps] = 0;
            facts_.direct[facts_.main](S);
            close_(S);
        }
        if (holding_) hold_(S);
    });
}

/** A random game from its start: distributed as `playout`, another one for the same seed, and faster. */
export function sample(S) {
    guarded_(() => {
        S[cells_().steps] = 0;
        facts_.sample(S);
        close_(S);
        if (holding_) hold_(S);
    });
}

/** All that refuses an action or routine now: [number in `table.reasons`, arguments] each. */
export function why(S, routine, args) {
    const reasons = [];
    guarded_(() => facts_.why[routine](S, reasons, ...args));
    return reasons;
}

/** The value of a pure function by its name, and what a routine that never waits returns. */
export function pure(S, name, args) {
    return guarded_(() => facts_.pure[name](S, ...args)) + 0;
}
export function callPlain(S, name, args) {
    return guarded_(() => facts_.direct[name](S, ...args)) ?? 0;
}

/** Of a seat from 1; `tiebreak` is compared after the score, part by part: larger is better. */
export function score(S, player) {
    return facts_.pure[facts_.score] ? pure(S, facts_.score, [player]) : 0;
}
export function tiebreak(S, player) {
    return facts_.tiebreak.map((name) => pure(S, name, [player]));
}

/** Names of the invariants that do not hold. */
export function invariants(S) {
    return facts_.invariants.filter(([, name]) => !pure(S, name, [])).map(([name]) => name);
}

/** From now on random games end with X611 after so many decisions, and with X607 where an invariant does not hold. */
export function watch(most, invariants = false) {
    [most_, holding_] = [most, invariants];
    due_ = holding_ ? -1 : most;
}

function asked_(S, site, player) {
    if (holding_) hold_(S);
    if (S[cells_().decisions] <= most_) return;
    const { prompt, span } = facts_.sites[site - 1] ?? { prompt: "decide", span: null };
    const phase = facts_.phases[S[cells_().phase]];
    const inside = S[cells_().phase] && phase ? `, phase \`${phase}\`` : "";
    const because = `it stands in round ${S[cells_().round]}${inside}; player ${player} is asked: ${prompt}`;
    const most = most_.toLocaleString("en-US");
    throw new RuleError("X611", `the game does not end: it has had ${most} decisions`, span, because);
}
function hold_(S) {
    const [failed] = invariants(S);
    if (failed === undefined) return;
    const span = facts_.invariants.find(([name]) => name === failed)[2];
    throw new RuleError("X607", `the invariant \`${failed}\` does not hold any more`, span);
}
function start_(S, host, name, args, base) {
    if (facts_.pausing.has(name)) {
        const found = facts_.hosted[name](S, host, base, 0, 0, ...args);
        settle_();
        if (typeof found !== "object") return null;
        S[base + 1] = 0;
        return found;
    }
    if (facts_.hosted[name]) facts_.hosted[name](S, host, ...args);
    else facts_.direct[name](S, ...args);
    settle_();
    return null;
}
function drive_(S, host, frame, value) {
    const cells = cells_();
    S[cells.site] = S[cells.decider] = S[cells.frame] = 0;
    while (frame) {
        const pc = S[frame];
        if (pc === RETURN_) return back_(S, frame);
        value = facts_.points[pc](S, host, frame, pc, value);
        settle_();
        if (typeof value === "object") return value;
        frame = S[frame + 1];
    }
    close_(S);
    return null;
}
function back_(S, frame) {
    const cells = cells_();
    [S[cells.site], S[cells.decider], S[cells.frame]] = S.subarray(frame + 2, frame + 5);
    return options(S);
}
function close_(S) {
    const cells = cells_();
    S[cells.over] = 1;
    S[cells.site] = S[cells.decider] = S[cells.frame] = 0;
}

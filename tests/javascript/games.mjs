// Plays games of a generated module: `node games.mjs rules.mjs < job.json`.
// The job: seeds of playouts and samples, and of games that are played decision by decision.
// Answers three lists: the last words of playouts and of samples, and of each stepped game all that was seen.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const rules = await import(pathToFileURL(process.argv[2]));

function played(play, seed) {
    const S = rules.fresh(BigInt(seed), true);
    play(S);
    return [...S];
}

/** A host that notes what it hears. */
function ear() {
    const heard = [];
    const note = (what) => (...args) => heard.push([what, ...args]);
    return {
        heard, open: note("open"), line: note("line"), close: note("close"), settle: note("settle"),
        curtain: note("curtain"),
        curtainEnd: note("curtain end"), die: () => -1,
    };
}

function stepped(seed, asked) {
    const S = rules.fresh(BigInt(seed), true), host = ear(), seen = [];
    let found = rules.begin(S, host);
    for (let number = 0; ; number++) {
        const decision = { words: [...S], options: found, heard: host.heard.splice(0) };
        seen.push(decision);
        if (found === null) return seen;
        if (number % asked === 0) {
            const site = rules.table.sites[S[rules.table.layout.cells.site] - 1];
            const acts = found.filter(([tag]) => tag >= 0 && rules.table.why.includes(site.actions[tag].id));
            const rest = S.slice();
            decision.again = rules.options(S);
            decision.scores = [...Array(rules.table.players).keys()].map((i) => rules.score(S, i + 1));
            decision.tiebreaks = [...Array(rules.table.players).keys()].map((i) => rules.tiebreak(S, i + 1));
            decision.invariants = rules.invariants(S);
            decision.why = acts.map(([tag, ...args]) => {
                const { id, types } = site.actions[tag];
                return rules.why(S, id, args.slice(0, types.length));
            });
            decision.kept = S.every((word, i) => word === rest[i]);
            rules.playout(rest);
            decision.rest = [...rest];
        }
        found = rules.resume(S, host, found[(number * 7919 + 13) % found.length]);
    }
}

/** What ends a playout that has more decisions than that. */
function ended(most) {
    rules.watch(most);
    try {
        played(rules.playout, 5);
    } catch (error) {
        return [error.code, error.text, error.because, error.span];
    } finally {
        rules.watch(100000);
    }
    return null;
}

process.stdout.write(JSON.stringify({
    playouts: job.playouts.map((seed) => played(rules.playout, seed)),
    samples: job.playouts.map((seed) => played(rules.sample, seed)),
    stepped: job.stepped.map((seed) => stepped(seed, job.asked)),
    ended: job.most === undefined ? null : ended(job.most),
}));

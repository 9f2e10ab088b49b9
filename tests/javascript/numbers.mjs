// `node numbers.mjs rules.mjs < job.json`: what routines, called on the words of the job, make of its word `total`, or
// the code of what fails; and what the generator and the division of the runtime answer, for given words and numbers.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const file = process.argv[2];
const rules = await import(pathToFileURL(file));
// What is not for those who import a module: its text once more, with these at its end.
const inner = `${readFileSync(file, "utf8")}\nexport { draw_, modulo_ };`;
const { draw_, modulo_ } = await import(`data:text/javascript;base64,${Buffer.from(inner).toString("base64")}`);

function cameOf(routine) {
    const S = Int32Array.from(job.words);
    try {
        rules.call(S, null, routine, []);
    } catch (error) {
        if (error instanceof rules.RuleError) return error.code;
        throw error;
    }
    return S[job.total];
}

function drawn([x, c, n]) {
    const S = Int32Array.of(x, c);
    const found = draw_(S, 0, 1, n);
    return [found, ...S];
}

process.stdout.write(JSON.stringify({
    routines: job.routines.map(cameOf),
    draws: job.draws.map(drawn),
    rests: job.divisions.map(([a, b]) => modulo_(a, b) + 0),
    quotients: job.divisions.map(([a, b]) => Math.floor(a / b) + 0),
    seeded: job.seeds.map((seed) => [...rules.fresh(BigInt(seed), true)]),
}));

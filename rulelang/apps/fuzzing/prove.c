/* Games that look for mistakes: random ones, paused at every decision, where it is tested what must hold of every
   position of every game (`rulelang.engine.validate_state` says the same in words). It reads the tables of
   `rulelang.engine.sound_tables` (one array of integers, `E`): section k lies from E[k] to before E[k + 1].

   Bounds are tested of every word each time. Lines, piles and chains are tested anew where a word has changed that the
   test reads, since nothing else can change what it comes to: `kept` holds the words of the position before, which was
   sound. The whole of a position is tested where a game begins and ends, and once in WHOLLY decisions. */
#include "../../compiler/backends/native/runtime/exports.c"

enum { SINGLE, VALUES_OF, HANDLES_OF, LINES, PILES, JOINS, OF_THINGS, QUEUES, PILE_OF, TOUCHES, WATCHED };
enum { IN_LINE = 1, IN_PILE = 2, IN_CARD = 4, IN_CHAIN = 8, ROW = 4 };  /* what a word is of; ROW: bits before which */
enum { WHOLLY = 64, BLOCK = 32 };  /* decisions between two tests of all; words that are compared at once */
enum { UNSOUND_WORDS = 1, UNSOUND_LISTED, UNSOUND_TWICE, UNSOUND_CHANGED, UNSOUND_FORMS };
enum { TOLD_DECISIONS, TOLD_REMADE, TOLD_BOTH };

typedef struct { i32 at, most; } single;
typedef struct { i32 start, end, low, high; } stretch;
typedef struct { i32 alive, next, prev, first, last, count, used, waiting, owners, each; } line;
typedef struct { i32 array, base, stride, first, last, count, id, low, high, least, most; } pile;
typedef struct { i32 alive, things, first, next, prev, partner; } join;
typedef struct { i32 count, room, first, hooks; } queue;
typedef struct { i32 start, end; } extent;

/* Loops over many words, several at once where the compiler can. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#define WIDE __attribute__((optimize("O3")))
#else
#define WIDE
#endif
#define NOT_NOTED ((i64)1 << 32)  /* no word */
#define EACH(type, row, k) for (row = (const type *)(E + E[k]); row < (const type *)(E + E[(k) + 1]); row++)

WIDE static i64 bounded(const i32 *E, const i32 *S) {
    const single *one;
    const stretch *s;
    const queue *q;
    i64 i;
    EACH(single, one, SINGLE) if (S[one->at] < 0 || S[one->at] > one->most) return 0;
    EACH(stretch, s, VALUES_OF) {
        i32 wrong = 0, low = s->low, high = s->high;
        for (i = s->start; i < s->end; i++) wrong |= (S[i] < low) | (S[i] > high);
        if (wrong) return 0;
    }
    EACH(stretch, s, HANDLES_OF) {
        i32 wrong = 0, low = s->low, high = s->high;
        for (i = s->start; i < s->end; i++) wrong |= (S[i] != 0) & ((S[i] < low) | (S[i] > high));
        if (wrong) return 0;
    }
    EACH(queue, q, QUEUES) {
        if (S[q->count] < 0 || S[q->count] > q->room) return 0;
        for (i = 0; i < S[q->count]; i++) if (S[q->first + i] < 0 || S[q->first + i] >= q->hooks) return 0;
    }
    return 1;
}

/* How long a chain is whose items are `low` to `high`, linked back as they are forth; -1 for what is none. `last`: what
   it must end with, if that is noted. Each item has `value` in the column `column`, if there is one. */
static i64 chain(
    const i32 *S, i64 first, i64 last, i64 next, i64 prev, i64 low, i64 high, i64 column, i64 value
) {
    i64 n = 0, came = 0, item = first;
    while (item) {
        if (item < low || item > high || n++ > high - low || S[prev + item] != came) return -1;
        if (column && S[column + item] != value) return -1;
        came = item; item = S[next + item];
    }
    return last != NOT_NOTED && last != came ? -1 : n;
}

WIDE static i64 in_line(const line *k, const i32 *S) {
    i64 owner, thing, things = (i64)k->owners * k->each, waiting = 0, kept = 0, slot;
    if (k->used)
        for (slot = S[k->waiting]; slot; slot = S[k->used + slot] - 1)
            if (slot < 1 || slot > things || ++waiting > things || S[k->alive + slot] || S[k->used + slot] < 1) return 0;
    for (owner = 1; owner <= k->owners; owner++) {
        i64 low = (owner - 1) * k->each + 1, high = owner * k->each, living = 0;
        for (thing = low; thing <= high; thing++) {
            i64 alive = S[k->alive + thing];
            if (alive & ~1) return 0;
            living += alive;
            if (k->next && !alive && (S[k->next + thing] || S[k->prev + thing])) return 0;
            if (k->used && alive && S[k->used + thing] != 1) return 0;
            if (k->used && !alive) kept += S[k->used + thing] != 0;
        }
        if (S[k->count + owner] != living) return 0;
        if (k->next && chain(S, S[k->first + owner], S[k->last + owner], k->next, k->prev, low, high, k->alive, 1) != living)
            return 0;
    }
    return kept == waiting;
}

/* How many cards lie in a pile, each of which names it and was not seen yet; -1 for what is no pile. */
static i64 lying_in(const pile *z, i64 owner, const i32 *S, unsigned char *seen) {
    i64 at = z->base + owner * z->stride, n, i, card = 0;
    if (z->array) {
        n = S[at];
        if (n < 0 || n >= z->stride) return -1;
    } else {
        n = chain(S, S[z->first + owner], S[z->last + owner], AT_NEXT, AT_PREV, 1, CARDS - 1, 0, 0);
        if (n < 0 || n != S[z->count + owner]) return -1;
    }
    for (i = 1; i <= n; i++) {
        card = z->array ? S[at + i] : i == 1 ? S[z->first + owner] : S[AT_NEXT + card];
        if (card < z->least || card > z->most || seen[card] || S[AT_WHERE + card] != z->id + owner) return -1;
        if (z->array && AT_NEXT && (S[AT_NEXT + card] || S[AT_PREV + card])) return -1;
        seen[card] = 1;
    }
    return n;
}
/* Every card lies in one place, which is the one that its own word names. */
static i64 lying(const i32 *E, const i32 *S) {
    unsigned char seen[CARDS];
    const pile *z;
    i64 owner, i, found = 0;
    for (i = 0; i < CARDS; i++) seen[i] = 0;
    EACH(pile, z, PILES)
        for (owner = z->low; owner <= z->high; owner++) {
            i64 n = lying_in(z, owner, S, seen);
            if (n < 0) return 0;
            found += n;
        }
    return found == CARDS - 1;
}
/* The same of the zones with these numbers: as many cards lie in each as name it. So all cards lie where they should if
   they did, and these are all the zones that cards came to or left, or that were changed. */
WIDE static i64 lying_still(const i32 *E, const i32 *S, const i32 *zones, i64 n) {
    unsigned char seen[CARDS];
    i64 i, k;
    for (i = 0; i < CARDS; i++) seen[i] = 0;
    for (k = 0; k < n; k++) {
        i32 zone = zones[k], row = E[E[PILE_OF] + zone], naming = 0;
        const pile *z = (const pile *)(E + E[PILES]) + row;
        if (row < 0) return 0;
        for (i = 1; i < CARDS; i++) naming += S[AT_WHERE + i] == zone;
        if (lying_in(z, zone - z->id, S, seen) != naming) return 0;
    }
    return 1;
}

/* A card that joins something to a thing lies on something, and once in the chain of that thing, which is in play. */
static i64 joined(const i32 *E, const join *j, const i32 *S) {
    i64 card, thing, cards = 0, found = 0;
    for (card = 1; card < CARDS; card++) {
        i64 partner = S[j->partner + card];
        if (!partner && (S[j->next + card] || S[j->prev + card])) return 0;
        if (!partner) continue;
        if (partner < 1 || partner > j->things || !S[j->alive + partner]) return 0;
        if (!E[E[OF_THINGS] + S[AT_WHERE + card]]) return 0;
        cards++;
    }
    for (thing = 1; thing <= j->things; thing++) {
        i64 n = chain(S, S[j->first + thing], NOT_NOTED, j->next, j->prev, 1, CARDS - 1, j->partner, thing);
        if (n < 0) return 0;
        found += n;
    }
    return found == cards;
}

/* Whether words can be those of a position. */
API i64 rl_sound(const i32 *E, const i32 *S) {
    const line *k;
    const join *j;
    if (S[0] || !bounded(E, S)) return 0;
    EACH(line, k, LINES) if (!in_line(k, S)) return 0;
    if (!lying(E, S)) return 0;
    EACH(join, j, JOINS) if (!joined(E, j, S)) return 0;
    return 1;
}

/* Notes that a zone is to be looked at: those in `zones` are marked. Answers how many they are; -1 if there is none such. */
static i64 marked_too(const i32 *E, i32 *marked, i32 *zones, i64 n, i64 zone) {
    if (n < 0 || zone < 0 || zone >= E[PILE_OF + 1] - E[PILE_OF]) return -1;
    if (!marked[zone]) { marked[zone] = 1; zones[n++] = (i32)zone; }
    return n;
}
/* Keep the words of a position that is sound; behind them no zone is marked. */
API i64 rl_keep(const i32 *E, const i32 *S, i32 *kept) {
    if (!rl_sound(E, S)) return 0;
    copy(kept, S, STACK);
    fill(kept + STACK, E[PILE_OF + 1] - E[PILE_OF], 0);
    return 1;
}
/* Whether words can be those of a position, where those that are kept can: what has changed since is tested, and kept. */
API i64 rl_sound_still(const i32 *E, const i32 *S, i32 *kept) {
    i32 *marked = kept + STACK, *zones = marked + (E[PILE_OF + 1] - E[PILE_OF]);
    const extent *p;
    const line *k;
    const join *j;
    i64 n = 0, chained = 0, lines = 0, i, end, at;
    if (S[0] || !bounded(E, S)) return 0;
    EACH(extent, p, WATCHED)
        for (i = p->start; i < p->end; i = end) {
            end = least(i + BLOCK, p->end);
            if (equal_words(S + i, kept + i, end - i)) continue;
            for (at = i; at < end; at++) {
                i32 told = E[E[TOUCHES] + at], row = told >> ROW;
                if (S[at] == kept[at]) continue;
                if (told & IN_LINE) lines |= 1ll << row;
                if (told & IN_CHAIN) chained = 1;
                if (told & IN_PILE) n = marked_too(E, marked, zones, n, row);
                if (told & IN_CARD) {
                    n = marked_too(E, marked, zones, n, kept[AT_WHERE + row]);
                    n = marked_too(E, marked, zones, n, S[AT_WHERE + row]);
                    EACH(join, j, JOINS) if (S[j->partner + row]) chained = 1;
                }
                kept[at] = S[at];
            }
        }
    if (n < 0) return 0;
    EACH(line, k, LINES) if (lines >> (k - (const line *)(E + E[LINES])) & 1 && !in_line(k, S)) return 0;
    if (!lying_still(E, S, zones, n)) return 0;
    for (i = 0; i < n; i++) marked[zones[i]] = 0;
    if (chained) EACH(join, j, JOINS) if (!joined(E, j, S)) return 0;
    return 1;
}

/* Whether two of the options that were listed are the same. */
static i64 twice(const context *C) {
    i64 a, b, i;
    if (C->used > C->room) return 0;
    for (a = 0; a < C->used; a += 1 + C->out[a])
        for (b = a + 1 + C->out[a]; b < C->used; b += 1 + C->out[b]) {
            for (i = 0; i <= C->out[a] && C->out[a + i] == C->out[b + i]; i++) {}
            if (i > C->out[a]) return 1;
        }
    return 0;
}

/* The game goes on from its words alone, as from a saved one: what was kept beside them is forgotten, and so is what
   lies behind the frames. Its options, listed anew, are as many as were counted, all different, and change nothing. */
static void remade(context *C, i32 *S, i32 *other) {
    i64 counted = C->found, end = frames_end(S);
    copy(other, S, SIZE);
    C->counts = 0;
    if (ask(C, S) < 0) return;
    if (C->found != counted || counted < 2) { err(C, ERROR_UNSOUND, UNSOUND_LISTED); return; }
    if (twice(C)) { err(C, ERROR_UNSOUND, UNSOUND_TWICE); return; }
    if (!equal_words(S, other, SIZE)) { err(C, ERROR_UNSOUND, UNSOUND_CHANGED); return; }
    fill(S + end, SIZE - end, 0);
    C->counts = 1; C->live = 0;
}

/* One game, whose words are fresh: at every decision and at the end it is sound, and once in so many decisions it is
   made again from its words. */
static void proved(context *C, i32 *S, i32 *other, i32 *kept, const i32 *E, i64 every, i64 *told) {
    i64 status, whole = 1;
    fresh(C);
    C->counts = 1;
    status = begin(C, S);
    while (status == PAUSED) {
        if (looked_after(C, S) && !(whole ? rl_keep(E, S, kept) : rl_sound_still(E, S, kept))) err(C, ERROR_UNSOUND, UNSOUND_WORDS);
        whole = S[AT_DECISIONS] % WHOLLY == 0;
        if (!C->error && S[AT_DECISIONS] % every == 0) { remade(C, S, other); told[TOLD_REMADE]++; }
        if (C->error) return;
        status = any_taken(C, S);
    }
    if (C->error) return;
    if (C->holds) hold(C, S);
    if (!C->error && !rl_sound(E, S)) err(C, ERROR_UNSOUND, UNSOUND_WORDS);
}
/* The same game at one go, without a pause, comes to the same words. */
static void alike(context *C, const i32 *S, i32 *other) {
    i64 i, holds = C->holds;
    C->holds = 0;
    playout(C, other, 0);
    C->holds = holds;
    if (C->error) return;
    for (i = 0; i < STACK; i++)
        if (S[i] != other[i] && i != AT_STEPS) { err(C, ERROR_UNSOUND, UNSOUND_FORMS); return; }
}

/* Play a game on, whose words are fresh, to the decision with this number, or to its end. */
API i64 rl_prove_until(context *C, i32 *S, i64 number) {
    i64 status;
    leave(C);
    fresh(C);
    C->counts = 1;
    status = begin(C, S);
    while (status == PAUSED && S[AT_DECISIONS] < number && looked_after(C, S)) status = any_taken(C, S);
    enter(C);
    return C->error ? FAILED : status;
}
/* Games of a series, from the `first` on; answers how many, less than `n` if one fails, whose words are in `S` then. One
   in `every` games is played at one go, too. */
API i64 rl_prove_many(
    context *C, i32 *S, i32 *other, i32 *kept, const i32 *initial, const i32 *E, u64 series, i64 first, i64 n, i64 every, i64 *told
) {
    i64 i;
    leave(C);
    for (i = 0; i < n; i++) {
        u64 own = own_seed(series, first + i);
        if (!next_game(C, S, initial, own)) break;
        proved(C, S, other, kept, E, every, told);
        if (C->error) break;
        told[TOLD_DECISIONS] += S[AT_DECISIONS];
        if ((first + i) % every) continue;
        if (!next_game(C, other, initial, own)) break;
        alike(C, S, other);
        if (C->error) break;
        told[TOLD_BOTH]++;
    }
    enter(C);
    return i;
}

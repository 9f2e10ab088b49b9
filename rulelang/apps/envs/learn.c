/* Many games at once for programs that learn: what a seat sees, and ids of what may be chosen, written into arrays of
   the caller. It reads the tables of `rulelang.envs` (one array of integers, `E`), as `rulelang.envs.encoding` does, and
   has to say the same, number for number. */
#include "../../compiler/backends/native_agents/secrets.h"
#if SEARCHES

typedef short i16;
typedef unsigned char u8;

/* Where each table begins in `E`, and single numbers in it: the order of `rulelang.envs.tables.HEADER`. */
enum {
    E_SIZE, E_IDS, E_KINDS_N, E_KINDS, E_LOOKS, E_SEEN, E_OWNER, E_NUMBER, E_LETTERS, E_SITES, E_SHAPES,
    E_PIECES, E_OPS, E_DIMS, E_FAMILIES_N, E_FAMILIES, E_ROWS, E_CANDIDATES, E_PILES, E_ASKS, E_TOLD, E_TOLDS, E_REASONS,
    E_SUBJECTS, E_FACE, E_DIGITS, E_ACTIVE, E_PHASE, E_ASKED, E_CHOSEN, E_ROOM, E_THINGS, E_PLACES, E_STRIDE,
    E_NEAR, E_BEYOND
};
/* How a word becomes a number; pieces of a spelled option. */
enum { NUMBER, TRUTH, ROW, SEAT, THING, CARD, CONSTANT, PLACE_ZONE, PLACE_OWNER, SIGN, DIGIT, NO_LETTERS = -1 };
enum { VALUE, ARRAY, SLOT, COUNT, BAG, LIST };
enum { OF_GAME, OF_SELF, OF_OTHERS, OF_OWN, OF_THEIRS, OF_ROWS, OF_CARDS };
enum { ALL, PLAYERS_INDEX, THINGS_INDEX };
enum { BITS = 4, SPELLED = 48 };
/* Why it stopped before the last game. */
enum { ILLEGAL = 1, CROWDED, BROKE };

typedef struct { i32 owners, per_owner, shown, alive, next, first, count, order, places; } learn_kind;
typedef struct { i32 code, argument, base; } letters;
typedef struct { i32 value, code, argument, base; } piece;
typedef struct { i32 code, at, base, stride, reading, argument, rows, first, count, own, idle; } op;
typedef struct { i32 code, argument, stride; } dim;
typedef struct { i32 code, argument, count, size, at, first, last, more; } family;
typedef struct { i32 array, base, stride, first, count; } pile;
typedef struct { i32 first, count; } span;

/* One game in the caller's memory: its words; those when the curtain fell; the ids chosen so far; the options, and what
   is left of them, if they fit (`G_BRIEF`: of an offer only what can be done is told, one option of each action: it is
   enough for the first id, and when that is chosen, the options of that action are told); for the seat that is asked the handles of things in order, by thing its number, by player
   his place. */
typedef struct {
    i32 *now, *fallen, *chosen, *options, *starts, *order, *numbers, *place, *head;
} game;
enum { G_CHOSEN, G_FOUND, G_KEPT, G_BEGUN, G_LEFT, G_AT, G_DIGITS, G_ONE_SHAPE, G_BRIEF, G_LOOKED, G_WORDS };
enum { KEPT = 512 };  /* options of a game that are kept between two steps of a decision; more are listed again */

static inline void clear(u8 *bytes, i64 n) {
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__wasm__)
    __builtin_memset(bytes, 0, n);
#else
    while (n--) *bytes++ = 0;
#endif
}

/* Words that are wanted soon are fetched while something else goes on: many games do not fit into what is near. */
static inline void soon(const i32 *words, i64 n) {
#if defined(__GNUC__) && !defined(__TINYC__)
    i64 i;
    for (i = 0; i < n; i += 16) __builtin_prefetch(words + i);
#endif
}

#define TABLE(type, name) ((const type *)(E + E[name]))

static game game_at(const i32 *E, i32 *games, i64 i) {
    game g;
    g.head = games + i * E[E_STRIDE];
    g.now = g.head + G_WORDS; g.fallen = g.now + SIZE; g.chosen = g.fallen + SIZE; g.place = g.chosen + SPELLED;
    g.order = g.place + PLAYERS + 3; g.numbers = g.order + E[E_THINGS]; g.starts = g.numbers + E[E_PLACES];
    g.options = g.starts + 3 * KEPT;
    return g;
}

enum { NEAR = 1 << 22 };  /* so many words are near anyway: to fetch them would cost more than it saves */
/* What most steps of a game begin with: the least, the frame that waits, what was looked up, and the options. */
enum { SOON_CELLS = 32, SOON_OPTIONS = 32, SOON_WORDS = 80 };
static inline void game_soon(const game *g) {
    soon(g->head, SOON_CELLS); soon(g->now + STACK, SOON_CELLS);
    soon(g->chosen, g->starts - g->chosen);
    soon(g->starts, SOON_OPTIONS); soon(g->starts + KEPT, SOON_OPTIONS); soon(g->options, SOON_WORDS);
}

/* ---- a seat looks */

typedef struct { const i32 *E, *now, *seen, *order, *numbers, *place; i64 seat; } learn_look;

static inline const i32 *words_of(const learn_look *l, i64 player) { return player == l->seat ? l->now : l->seen; }
static inline i64 player_on(i64 seat, i64 place) {
    return place < PLAYERS ? (seat - 1 + place) % PLAYERS + 1 : place + 1;
}
/* The things of all owners in order, and the number of each. */
static LEVEL("O3") void look_at(const learn_look *l, game *g) {
    const i32 *E = l->E;
    i64 k, p, at, h, seat = l->seat;
    for (p = 0; p <= PLAYERS; p++) g->place[player_on(seat, p)] = (i32)p;
    for (k = 0; k < E[E_KINDS_N]; k++) {
        const learn_kind *kind = &TABLE(learn_kind, E_KINDS)[k];
        i32 *order = g->order + kind->order, *numbers = g->numbers + kind->places;
        for (p = 0; p < kind->owners; p++, order += kind->shown) {
            i64 owner = player_on(seat, p), each = kind->per_owner, first = (owner - 1) * each + 1, n = 0;
            i64 shown = kind->shown;
            i32 number = (i32)(p * (shown + 1)), beyond = number + (i32)shown + 1, *mine = numbers + first;
            const i32 *S = words_of(l, owner);
            for (h = 0; h < each; h++) mine[h] = beyond;
            if (kind->next)
                for (at = S[kind->first + owner]; at && n < shown; at = S[kind->next + at]) order[n++] = (i32)at;
            else
                for (at = first; at < first + each && n < shown; at++)
                    if (S[kind->alive + at]) order[n++] = (i32)at;
            for (h = 0; h < n; h++) numbers[order[h]] = number + (i32)h + 1;
            while (n < shown && order[n]) order[n++] = 0;  /* behind the first 0 is nothing but zeros */
        }
    }
}
static inline i64 zone_of(const learn_look *l, i64 card) {
    i64 zone = l->now[AT_WHERE + card];
    return ZONE_PLAYER[zone] == l->seat ? zone : l->seen[AT_WHERE + card];
}
static inline i64 sees_zone(const learn_look *l, i64 zone) {
    const i32 *E = l->E;
    i64 seen = E[E[E_SEEN] + zone];
    return seen == SEEN_EVERYONE || (seen == SEEN_OWNER && ZONE_PLAYER[zone] == l->seat);
}
static inline i64 number_of(const learn_look *l, i64 code, i64 argument, i64 word) {
    const i32 *E = l->E;
    switch (code) {
        case NUMBER: return most(-32768, least(32767, word));
        case TRUTH: return word != 0;
        case SEAT: return word ? l->place[word] + 1 : 0;
        case THING: return word ? l->numbers[TABLE(learn_kind, E_KINDS)[argument].places + word] : 0;
        case CARD: return !word ? 0 : sees_zone(l, zone_of(l, word)) ? E[E[E_LOOKS] + word] : argument;
        default: return word;
    }
}

/* ---- ids */

static i64 id_of(const learn_look *l, const piece *p, const i32 *option) {
    const i32 *E = l->E;
    i64 word = option[1 + p->value], zone;
    const letters *own;
    switch (p->code) {
        case CONSTANT: return p->argument;
        case PLACE_ZONE: return p->base + (word ? E[E[E_NUMBER] + zone_of(l, word)] : 0);
        case PLACE_OWNER:
            zone = word ? zone_of(l, word) : 0;
            own = &TABLE(letters, E_LETTERS)[E[E[E_NUMBER] + zone]];
            if (!zone || own->code < 0) return 0;
            return own->base + number_of(l, own->code, own->argument, E[E[E_OWNER] + zone]);
        case SIGN: return p->base + (word < 0);
        case DIGIT: return p->base + ((word < 0 ? -word : word) >> p->argument & ((1 << BITS) - 1));
        default: return p->base + number_of(l, p->code, p->argument, word);
    }
}
/* The options that are left of a decision after the ids that were chosen: where each lies, and the id of the piece that
   tells them apart. `digits`: of the place among those that were left when all pieces had been spelled, so many are
   still to come; -1 before. */
typedef struct { i64 site, left, at, digits, one_shape; const i32 *options; i32 *starts, *ids, *places; } left_over;

/* The ids of the next piece of all that is left: whether they differ; -1 if all pieces are spelled. */
static inline i64 next_piece(const learn_look *l, left_over *o) {
    const i32 *E = l->E, *options = o->options;
    const span *shapes = TABLE(span, E_SHAPES) + E[E[E_SITES] + o->site];
    const piece *pieces = TABLE(piece, E_PIECES), *p;
    i64 i, going_on = 0, at = o->at, left = o->left;
    i32 *ids = o->ids, other = 0;
    const i32 *starts = o->starts;
    if (!o->one_shape) {
        for (i = 0; i < left; i++) {
            const i32 *option = options + starts[i];
            ids[i] = 0;
            if (option[1] >= 0 && at < shapes[option[1]].count) {
                p = &pieces[shapes[option[1]].first + at];
                ids[i] = (i32)(p->code == CONSTANT ? p->argument : id_of(l, p, option));
                going_on = 1;
            }
            other |= ids[i] ^ ids[0];
        }
        return going_on ? other != 0 : -1;
    }
    shapes += options[starts[0] + 1];
    if (at >= shapes->count) return -1;
    p = &pieces[shapes->first + at];
    if (p->code == CONSTANT) return 0;
    options += 1 + p->value;
    if (p->code == THING) {
        const i32 *numbers = l->numbers + TABLE(learn_kind, E_KINDS)[p->argument].places;
        for (i = 0; i < left; i++) {
            i32 word = options[starts[i]];
            ids[i] = p->base + (word ? numbers[word] : 0);
            other |= ids[i] ^ ids[0];
        }
    } else if (p->code == ROW) {
        for (i = 0; i < left; i++) {
            ids[i] = p->base + options[starts[i]];
            other |= ids[i] ^ ids[0];
        }
    } else {
        i32 before = 0;
        for (i = 0; i < left; i++) {  /* options that are listed one behind the other often name the same */
            i32 word = options[starts[i]];
            if (i && word == before) ids[i] = ids[i - 1];
            else ids[i] = p->code == CARD ? p->base + (i32)number_of(l, CARD, p->argument, word)
                : (i32)id_of(l, p, o->options + starts[i]);
            before = word;
            other |= ids[i] ^ ids[0];
        }
    }
    return other != 0;
}
/* Go on to the next piece that tells apart what is left; the place of the option if only one is left, else -1. */
static i64 to_fork(const learn_look *l, left_over *o) {
    const i32 *E = l->E;
    i64 i;
    while (o->left > 1) {
        i32 other = 0;
        if (o->digits < 0) {
            i64 differ = next_piece(l, o);
            if (differ < 0) {
                for (i = 0; i < o->left; i++) o->places[i] = (i32)i;
                for (o->digits = 1; (o->left - 1) >> (BITS * o->digits); o->digits++);
                continue;
            }
            o->at++;
            if (differ) return -1;
            continue;
        }
        o->digits--;
        for (i = 0; i < o->left; i++) {
            o->ids[i] = E[E_DIGITS] + (o->places[i] >> (BITS * o->digits) & ((1 << BITS) - 1));
            other |= o->ids[i] ^ o->ids[0];
        }
        if (other) return -1;
    }
    return o->starts[0];
}
/* All options of a decision. Where an offer says first what is done, that is spelled at once; whether it tells them
   apart. */
static i64 all_left(const i32 *E, left_over *o, i64 found) {
    const i32 *options = o->options;
    const span *shapes = TABLE(span, E_SHAPES) + E[E[E_SITES] + o->site];
    const piece *pieces = TABLE(piece, E_PIECES);
    i64 i, k, offers = pieces[shapes[0].first].code == CONSTANT;
    i32 *starts = o->starts, *ids = o->ids, other = 0, differ = 0;
    for (i = k = 0; i < found; i++, k += options[k] + 1) {
        i32 tag = options[k + 1];
        starts[i] = (i32)k;
        other |= tag ^ options[1];
        if (!offers) continue;
        ids[i] = tag < 0 ? 0 : pieces[shapes[tag].first].argument;
        differ |= ids[i] ^ ids[0];
    }
    o->left = found; o->digits = -1; o->at = offers; o->one_shape = !other && options[1] >= 0;
    return differ != 0;
}
/* Keep what has this id; how many that are. Nothing changes if none has it. */
static i64 choose_id(left_over *o, i64 id) {
    i64 i, k, left = o->left, digits = o->digits;
    i32 first = 0, other = 0, *starts = o->starts;
    const i32 *ids = o->ids;
    for (i = k = 0; i < left; i++) {
        i32 tag;
        if (ids[i] != id) continue;
        starts[k] = starts[i];
        if (digits >= 0) o->places[k] = o->places[i];
        tag = o->options[starts[k] + 1];
        if (!k++) first = tag;
        other |= tag ^ first;
    }
    if (!k) return 0;
    o->left = k;
    o->one_shape = !other && first >= 0;
    return k;
}

/* ---- observations */

static void card_at(const learn_look *l, const i32 *S, i64 card, i16 *out) {
    const i32 *E = l->E;
    out[0] = (i16)E[E[E_LOOKS] + card];
    if (E[E_FACE] && card) out[1] = (i16)S[E[E_FACE] + card];
}
/* Where the words of a thing begin; 0 if it has none that the seat sees. */
static inline i64 begins(const learn_look *l, const op *o, i64 handle) {
    const i32 *E = l->E;
    i64 row = handle;
    if (o->rows < 0 && !o->own) return o->base + row * o->stride;
    if (o->own && ZONE_PLAYER[zone_of(l, handle)] != l->seat) return 0;
    if (o->rows >= 0 && !(row = E[E[E_ROWS] + o->rows + handle])) return 0;
    return o->base + row * o->stride;
}
/* Write numbers by all indices from a dim on; answers how many. */
static i64 array_at(const learn_look *l, const op *o, const i32 *S, i64 address, i64 level, i16 *out) {
    const i32 *E = l->E;
    const dim *d;
    i64 h, n, written = 0, handle;
    if (level == o->count) {
        *out = address ? (i16)number_of(l, o->reading, o->argument, S[address]) : 0;
        return 1;
    }
    d = &TABLE(dim, E_DIMS)[o->first + level];
    n = d->code == THINGS_INDEX ? TABLE(learn_kind, E_KINDS)[d->argument].owners
        * TABLE(learn_kind, E_KINDS)[d->argument].shown : d->argument;
    if (level + 1 == o->count && d->code == ALL && address) {
        for (h = 0; h < n; h++) out[h] = (i16)number_of(l, o->reading, o->argument, S[address + (h + 1) * d->stride]);
        return n;
    }
    for (h = 0; h < n; h++) {
        handle = d->code == ALL ? h + 1 : d->code == PLAYERS_INDEX ? player_on(l->seat, h)
            : l->order[TABLE(learn_kind, E_KINDS)[d->argument].order + h];
        written += array_at(l, o, S, address && handle ? address + handle * d->stride : 0, level + 1,
                            out + written);
    }
    return written;
}
static void record(const learn_look *l, const family *f, const i32 *S, i64 handle, i16 *out) {
    const i32 *E = l->E;
    i64 i, k, n, card, base;
    for (i = f->first; i < f->last; i++) {
        const op *o = &TABLE(op, E_OPS)[i];
        const pile *z;
        i16 *at = out + o->at;
        if (o->code == VALUE) {
            base = begins(l, o, handle);
            if (base) *at = (i16)number_of(l, o->reading, o->argument, S[base]);
            continue;
        }
        if (o->code == ARRAY) {
            base = begins(l, o, handle);
            if (base) array_at(l, o, S, base, 0, at);
            continue;
        }
        z = &TABLE(pile, E_PILES)[o->base];
        base = z->base + handle * z->stride;
        n = z->array ? S[base] : S[z->count + handle];
        if (o->code == SLOT) {
            if (n) card_at(l, S, z->array ? S[base + 1] : S[z->first + handle], at);
            continue;
        }
        *at = (i16)n;
        if (o->code == COUNT || !n) continue;
        card = z->array ? 0 : S[z->first + handle];
        if (o->code == BAG) {
            const i32 *looks = E + E[E_LOOKS];
            for (k = 1; k <= n; k++) {
                i64 shown;
                if (z->array) card = S[base + k];
                shown = looks[card];
                at[1] = (i16)shown; at[1 + shown]++;
                if (!z->array) card = S[AT_NEXT + card];
            }
            continue;
        }
        for (k = 1; k <= n && k <= o->count; k++) {
            if (z->array) card = S[base + k];
            card_at(l, S, card, at + 1 + (k - 1) * (E[E_FACE] ? 2 : 1));
            if (!z->array) card = S[AT_NEXT + card];
        }
    }
}
/* Whether anything of a card is not as it was before the game. */
static i64 keeps(const learn_look *l, const family *f, const i32 *S, const i32 *initial, i64 card) {
    const i32 *E = l->E;
    i64 i, k, base;
    for (i = f->first; i < f->last; i++) {
        const op *o = &TABLE(op, E_OPS)[i];
        if (o->idle) continue;
        if (o->code == VALUE || o->code == ARRAY) {
            base = begins(l, o, card);
            if (base) for (k = 0; k < o->stride; k++) if (S[base + k] != initial[base + k]) return 1;
        } else {
            const pile *z = &TABLE(pile, E_PILES)[o->base];
            if (z->array ? S[z->base + card * z->stride] : S[z->count + card]) return 1;
        }
    }
    return 0;
}
/* The cards that keep something, the first by what is told of them. */
static void kept_cards(const learn_look *l, const family *f, const i32 *initial, i16 *out, i16 *spare) {
    const i32 *E = l->E;
    i64 i, k, j, n = 0;
    for (i = 0; i < f->more; i++) {
        i64 card = E[E[E_CANDIDATES] + f->argument + i], zone = zone_of(l, card);
        const letters *own;
        const i32 *S;
        if (!sees_zone(l, zone)) continue;
        S = words_of(l, ZONE_PLAYER[zone]);
        if (!keeps(l, f, S, initial, card)) continue;
        for (k = 0; k < f->size; k++) spare[k] = 0;
        spare[0] = (i16)E[E[E_LOOKS] + card];
        spare[1] = (i16)E[E[E_NUMBER] + zone];
        own = &TABLE(letters, E_LETTERS)[spare[1]];
        if (own->code >= 0)
            spare[2] = (i16)(own->base + number_of(l, own->code, own->argument, E[E[E_OWNER] + zone]) + 1);
        record(l, f, S, card, spare);
        for (k = n; k > 0; k--) {  /* it comes before those that are larger */
            const i16 *other = out + (k - 1) * f->size;
            for (j = 0; j < f->size && other[j] == spare[j]; j++);
            if (j == f->size || other[j] < spare[j]) break;
            if (k < f->count) for (j = 0; j < f->size; j++) out[k * f->size + j] = other[j];
        }
        if (k < f->count) {
            for (j = 0; j < f->size; j++) out[k * f->size + j] = spare[j];
            if (n < f->count) n++;
        }
    }
}
/* What the question speaks of, as ids + 1. */
static void subjects(context *C, const learn_look *l, i16 *out) {
    const i32 *E = l->E, *S = l->now;
    i64 site = S[AT_SITE], function = E[E[E_ASKS] + site], frame = S[AT_FRAME], i, k, at, n = 0, args[SPELLED];
    const span *told;
    if (function < 0) return;
    told = &TABLE(span, E_TOLD)[S[frame]];
    for (i = 0; i < told->count && i < SPELLED; i++) {
        const i32 *t = E + E[E_TOLDS] + 2 * (told->first + i);
        args[i] = t[0] ? S[frame + t[0]] : t[1];
    }
    C->used = C->found = 0;
    why(C, S, function, args);
    if (C->used > C->room) return;
    for (i = at = 0; i < C->found; i++, at += C->out[at] + 1) {
        const span *kinds = &TABLE(span, E_REASONS)[C->out[at + 1]];
        for (k = 0; 2 * k + 1 < C->out[at] && n < E[E_ASKED]; k++, n++) {
            i64 word = C->out[at + 2 + 2 * k];
            const letters *own = k < kinds->count ? &TABLE(letters, E_SUBJECTS)[kinds->first + k] : 0;
            if (!own || own->code == NO_LETTERS) continue;
            out[n] = (i16)(1 + own->base + (own->code == NUMBER ? most(0, least((1 << BITS) - 1, word))
                                            : number_of(l, own->code, own->argument, word)));
        }
    }
}
static void seen_by(context *C, const learn_look *l, const game *g, const i32 *initial, i16 *out, i16 *spare) {
    const i32 *E = l->E, *order;
    i64 i, k, p, asked = g->now[AT_DECIDER], owner;
    for (i = 0; i < E[E_SIZE]; i++) out[i] = 0;
    out[0] = (i16)(asked ? l->place[asked] + 1 : 0);
    out[1] = (i16)number_of(l, SEAT, 0, l->seen[E[E_ACTIVE]]);
    out[2] = (i16)number_of(l, NUMBER, 0, l->seen[AT_ROUND]);
    out[3] = (i16)l->seen[E[E_PHASE]];
    if (asked == l->seat) {
        i64 first = most(0, g->head[G_CHOSEN] - E[E_CHOSEN]);
        out[4] = (i16)g->now[AT_SITE];
        subjects(C, l, out + 5);
        for (i = first; i < g->head[G_CHOSEN]; i++) out[5 + E[E_ASKED] + i - first] = (i16)(g->chosen[i] + 1);
    }
    for (i = 0; i < E[E_FAMILIES_N]; i++) {
        const family *f = &TABLE(family, E_FAMILIES)[i];
        i16 *at = out + f->at;
        i64 others = f->code == OF_OTHERS || f->code == OF_THEIRS;
        if (f->code == OF_CARDS) { kept_cards(l, f, initial, at, spare); continue; }
        if (f->code == OF_OWN || f->code == OF_THEIRS) {
            const learn_kind *kind = &TABLE(learn_kind, E_KINDS)[f->argument];
            i64 owners = f->count / kind->shown;
            order = l->order + kind->order + others * kind->shown;
            for (p = 0; p < owners; p++, order += kind->shown) {
                const i32 *S;
                owner = player_on(l->seat, p + others);
                S = words_of(l, owner);
                at[p - owners] = (i16)S[kind->count + owner];
                for (k = 0; k < kind->shown && order[k]; k++) {
                    i16 *into = at + (p * kind->shown + k) * f->size;
                    into[0] = 1;
                    record(l, f, S, order[k], into);
                }
            }
            continue;
        }
        for (k = 0; k < f->count; k++) {
            owner = f->code == OF_SELF || f->code == OF_OTHERS ? player_on(l->seat, k + others) : 0;
            record(l, f, owner ? words_of(l, owner) : l->seen, f->code == OF_ROWS ? k + 1 : owner, at + k * f->size);
        }
    }
}

/* ---- games */

/* By seat, what the end of a game is worth: see `rulelang.envs.steps.rewards`. */
static void worth(context *C, const i32 *S, float *out) {
    i64 seat, other, part, won[PLAYERS + 1], n = 0, rank[PLAYERS + 1][PARTS];
    ranked(C, S, rank);
    for (seat = 1; seat <= PLAYERS; seat++) {
        for (won[seat] = 1, other = 1; other <= PLAYERS && won[seat]; other++) {
            const i64 *mine = rank[TEAM[seat]], *his = rank[TEAM[other]];
            for (part = 0; part < PARTS && his[part] == mine[part]; part++);
            won[seat] = part == PARTS || his[part] < mine[part];
        }
        n += won[seat];
    }
    for (seat = 1; seat <= PLAYERS; seat++)
        out[seat - 1] = PLAYERS < 2 ? 0 : ((won[seat] ? (float)PLAYERS / n : 0) - 1) / (PLAYERS - 1);
}
/* Have something told into the game's memory, where it fits: go on from the start, or with the option that was taken, or
   the same decision again. */
enum { BEGINNING, DRIVING, ASKING };
static i64 told(context *C, const i32 *E, game *g, i64 what) {
    i32 *out = C->out;
    i64 status, room = C->room;
    C->out = g->options; C->room = E[E_ROOM]; C->fallen = g->fallen;
    status = what == BEGINNING ? begin(C, g->now) : what == DRIVING ? drive(C, g->now) : ask(C, g->now);
    C->out = out; C->room = room; C->fallen = 0;
    g->head[G_FOUND] = (i32)C->found;
    g->head[G_KEPT] = C->used <= E[E_ROOM] && C->found <= KEPT;
    g->head[G_BRIEF] = C->brief == BRIEF && g->head[G_KEPT];
    C->brief = 0; C->only = 0;
    if (status == PAUSED && !g->head[G_KEPT] && !C->error) status = ask(C, g->now);  /* is there room for them at all? */
    return C->error ? FAILED : status;
}
/* Go on to the next decision of somebody. */
static i64 gone_on(context *C, const i32 *E, game *g, i64 what) {
    g->head[G_CHOSEN] = g->head[G_LOOKED] = 0;
    C->brief = 1;
    return told(C, E, g, what);
}
/* The look of the seat that is asked: made once a decision, when something asks for it. */
static learn_look looked(const i32 *E, game *g) {
    const i32 *seen = g->now[AT_CURTAIN] > 0 ? g->fallen : g->now;
    learn_look l = {E, g->now, seen, g->order, g->numbers, g->place, g->now[AT_DECIDER]};
    if (!g->head[G_LOOKED]) look_at(&l, g);
    g->head[G_LOOKED] = 1;
    return l;
}
/* What is left of options that are kept. */
static void left_in(const game *g, left_over *o) {
    const i32 *h = g->head;
    o->site = g->now[AT_SITE];
    o->options = g->options; o->starts = g->starts; o->ids = g->starts + KEPT; o->places = g->starts + 2 * KEPT;
    o->left = h[G_LEFT]; o->at = h[G_AT]; o->digits = h[G_DIGITS]; o->one_shape = h[G_ONE_SHAPE];
}
static void keep_left(game *g, const left_over *o) {
    i32 *h = g->head;
    h[G_LEFT] = (i32)o->left; h[G_AT] = (i32)o->at; h[G_DIGITS] = (i32)o->digits; h[G_ONE_SHAPE] = (i32)o->one_shape;
}
/* What is left of the options after the ids that were chosen, at a fork; whether there is room for them. */
static i64 at_fork(context *C, const i32 *E, game *g, i32 *work, left_over *o) {
    i64 i;
    const i32 *h = g->head;
    learn_look l;
    left_in(g, o);
    if (h[G_KEPT]) return 1;
    ask(C, g->now);
    if (C->used > C->room) return 0;
    o->options = C->out; o->starts = work; o->ids = work + C->found; o->places = work + 2 * C->found;
    l = looked(E, g);
    if (!all_left(E, o, C->found)) to_fork(&l, o);
    for (i = 0; i < h[G_CHOSEN]; i++) { choose_id(o, g->chosen[i]); to_fork(&l, o); }
    return 1;
}
/* Options that were told into the game's memory, at the first fork or, behind a first id, at the second; the place of the
   only one, or -1. */
static i64 first_left(context *C, const i32 *E, game *g, left_over *o) {
    i64 at = -1, differ;
    left_in(g, o);
    differ = all_left(E, o, g->head[G_FOUND]);
    if (g->head[G_BRIEF] && !differ) {  /* one action, by several tags */
        if (told(C, E, g, ASKING) == FAILED || !g->head[G_KEPT]) return -1;
        left_in(g, o);
        differ = all_left(E, o, g->head[G_FOUND]);
    }
    if (!differ && o->left == 1) at = o->starts[0];
    else if (!differ) { learn_look l = looked(E, g); at = to_fork(&l, o); }
    keep_left(g, o);
    return at;
}
static inline void ready(context *C, const i32 *S) {
    fresh(C);
    C->trusted = 1; C->due = due(C, S[AT_DECISIONS]);
}
/* Choose an id in a game. PAUSED: it goes on; ENDED; FAILED, with why in `wrong`. */
static i64 take_id(context *C, const i32 *E, game *g, i64 id, i32 *work, i32 *wrong) {
    left_over o;
    i64 at, i;
    if (!at_fork(C, E, g, work, &o) || g->head[G_CHOSEN] >= SPELLED || !choose_id(&o, id)) {
        *wrong = ILLEGAL;
        return FAILED;
    }
    if (g->head[G_BRIEF] && o.options[o.starts[0] + 1] >= 0) {  /* now all options of what is done */
        for (i = 0; i < o.left; i++) C->only |= (u64)1 << o.options[o.starts[i] + 1];
        if (told(C, E, g, ASKING) == FAILED) { *wrong = BROKE; return FAILED; }
        at = g->head[G_KEPT] ? first_left(C, E, g, &o) : -1;
    } else if (o.left == 1) at = o.starts[0];
    else {
        learn_look l = looked(E, g);
        at = to_fork(&l, &o);
        if (at < 0) keep_left(g, &o);
    }
    if (at < 0) {
        g->chosen[g->head[G_CHOSEN]++] = (i32)id;
        return PAUSED;
    }
    option(C, o.options + at);
    C->used = C->found = 0;
    at = gone_on(C, E, g, DRIVING);
    if (at == FAILED) *wrong = BROKE;
    return at;
}

/* In each game any of the ids that may be chosen, each as likely; `chance`: a generator of two words for each game. */
API void rl_learn_any(const u8 *masks, i64 n, i64 ids, i32 *chance, i32 *actions) {
    i64 i, k, wanted;
    for (i = 0; i < n; i++, masks += ids) {
        i64 count = 0;
        for (k = 0; k < ids; k++) count += masks[k];
        if (!count) { actions[i] = 0; continue; }
        wanted = draw(&chance[2 * i], &chance[2 * i + 1], count);
        for (k = 0; !masks[k] || wanted--; k++);
        actions[i] = (i32)k;
    }
}
API void rl_learn_seed(i32 *chance, u64 from) { seed(chance, chance + 1, from); }
API i64 rl_learn_words(void) { return G_WORDS + 2 * SIZE + SPELLED + PLAYERS + 3 + 3 * KEPT; }
/* What a thread that waits for steps and the one that asks for them tell each other, each in its own line of the cache:
   the number of the step that is asked for, and its ids; the number of the last one that is done, and how far it came. */
enum { BELL_ASKED, BELL_IDS, BELL_DONE = 8, BELL_REACHED, BELL_WORDS = 16 };
enum { IDLE, TROUBLE };
#if defined(__GNUC__) && !defined(__TINYC__)
#define RING(word, value) __atomic_store_n(word, value, __ATOMIC_RELEASE)
#define HEARD(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define SPINS 1
#else
#define RING(word, value) (*(word) = (value))
#define HEARD(word) (*(volatile i64 *)(word))
#define SPINS 0  /* what another thread writes may come out of order: it is told where the interpreter is held */
#endif
#if SPINS && (defined(__x86_64__) || defined(__i386__))
#define PAUSE __builtin_ia32_pause()
#else
#define PAUSE (void)0
#endif

/* What a thread plays and writes into: words of 64 bits, addresses among them, as `rulelang.envs.learning`
   lays them out. Arrays that are 0 are not written. `step`: from the seed of a game to that of the next one. */
typedef struct {
    const i32 *E, *initial; i32 *games; i64 last; u64 *seeds, step; i16 *seen; u8 *masks; float *rewards; u8 *ended;
    i32 *asked, *work;
} share;

static i64 learn(context *C, const share *given, i64 first, const i32 *actions) {
    const i32 *E = given->E;
    float *rewards = given->rewards;
    i32 *work = given->work;
    i64 i, k, n = given->last, far = (n - first) * E[E_STRIDE] > NEAR;
    C->fall_from = given->seen ? 0 : E[E_NEAR]; C->fall_to = given->seen ? STACK : E[E_BEYOND];
    work[0] = 0;
    if (RARE((C->patience -= n - first) <= 0)) {
        C->error = 0;
        if (polled(C, 0)) { work[0] = BROKE; return first; }
    }
    for (i = first; i < n; i++) {
        game g = game_at(E, given->games, i);
        u8 *mask = given->masks ? given->masks + i * E[E_IDS] : 0;
        i32 *S = g.now;
        i64 status = PAUSED, forked = 0;
        left_over o;
        if (far && i + 1 < n) { game following = game_at(E, given->games, i + 1); game_soon(&following); }
        ready(C, S);
        if (g.head[G_BEGUN] != 2) {
            if (given->ended) given->ended[i] = 0;
            if (rewards) for (k = 0; k < PLAYERS; k++) rewards[i * PLAYERS + k] = 0;
        }
        if (actions && g.head[G_BEGUN] == 1) {
            forked = g.head[G_CHOSEN] + 1;
            status = take_id(C, E, &g, actions[i], work + 1, work);
            forked = forked == g.head[G_CHOSEN];
            if (status == ENDED) {
                if (rewards) worth(C, S, rewards + i * PLAYERS);
                if (given->ended) given->ended[i] = 1;
                g.head[G_BEGUN] = 0;
            }
        }
        if (!g.head[G_BEGUN]) {
            deal_out(S, given->initial, STACK, given->seeds[i]);
            given->seeds[i] += given->step;
            ready(C, S);
            status = gone_on(C, E, &g, BEGINNING);
            g.head[G_BEGUN] = 1;
            if (status != PAUSED) work[0] = BROKE;  /* also a game in which nobody is asked anything */
        }
        if (work[0]) break;
        if (!forked && g.head[G_KEPT]) {
            first_left(C, E, &g, &o);
            if (C->error) { work[0] = BROKE; break; }
        }
        if (!at_fork(C, E, &g, work + 1, &o)) { g.head[G_BEGUN] = 2; work[0] = CROWDED; break; }
        g.head[G_BEGUN] = 1;
        if (mask) {
            clear(mask, E[E_IDS]);
            {
                const i32 *ids = o.ids, *end = ids + o.left;
                while (ids < end) mask[*ids++] = 1;
            }
        }
        if (given->asked) given->asked[i] = S[AT_DECIDER];
        if (given->seen) {
            learn_look l = looked(E, &g);
            seen_by(C, &l, &g, given->initial, given->seen + i * E[E_SIZE], (i16 *)(work + 1));
        }
        if (C->error) { work[0] = BROKE; break; }
    }
    return i;
}
/* Take an id in each game from `first` on (`actions` 0: only tell), begin the next game where one ends, and tell what
   the seat that is asked sees and may choose. Answers how many games are done; fewer than there are if something was
   wrong with the next one, which `work[0]` tells: ILLEGAL (it is as it was), CROWDED (with more room it goes on there),
   BROKE. */
API i64 rl_learn(context *C, const share *given, i64 first, const i32 *actions) {
    i64 done;
    leave(C);
    done = learn(C, given, first, actions);
    enter(C);
    return done;
}
/* The same from `first` on again and again, as often as `bell` asks for it. IDLE if nothing was asked for so many turns;
   TROUBLE if a step stopped before the last game: where stands in the bell, and it is not yet told that it is done. */
API i64 rl_learn_serve(context *C, const share *given, i64 first, i64 *bell, i64 turns) {
    i64 turn = 0, asked, done;
    leave(C);
    do {
        asked = HEARD(&bell[BELL_ASKED]);
        if (asked == bell[BELL_DONE]) { PAUSE; turn++; continue; }
        done = learn(C, given, first, (const i32 *)bell[BELL_IDS]);
        bell[BELL_REACHED] = done;
        if (done < given->last) break;
        RING(&bell[BELL_DONE], asked);
        turn = 0;
    } while (SPINS && turn < turns);
    enter(C);
    return asked == bell[BELL_DONE] ? IDLE : TROUBLE;
}
/* Ask for a step by so many bells; wait for all, so many turns at most: whether all are done; tell that one is done. */
API void rl_learn_ask(i64 *bells, i64 n, const i32 *actions) {
    i64 *bell;
    for (bell = bells; bell < bells + n * BELL_WORDS; bell += BELL_WORDS) {
        bell[BELL_IDS] = (i64)actions;
        RING(&bell[BELL_ASKED], bell[BELL_ASKED] + 1);
    }
}
API i64 rl_learn_await(context *C, i64 *bells, i64 n, i64 turns) {
    i64 *bell = bells, turn = 0;
    leave(C);
    while (bell < bells + n * BELL_WORDS && turn < turns) {
        if (HEARD(&bell[BELL_DONE]) == bell[BELL_ASKED]) bell += BELL_WORDS; else { PAUSE; turn++; }
    }
    enter(C);
    return bell == bells + n * BELL_WORDS;
}
API void rl_learn_done(i64 *bell, i64 reached) {
    bell[BELL_REACHED] = reached;
    RING(&bell[BELL_DONE], bell[BELL_ASKED]);
}
#endif

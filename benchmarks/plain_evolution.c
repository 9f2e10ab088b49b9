/* Evolution for four random players, written by hand in C: the yardstick for the native backend.

   It is the game of plain_evolution.py: the same readings of the rules, which stand there, the same order of events and
   the same options at each decision (tests/engine/test_lockstep.py plays both beside the compiled rules). The style is that of somebody who wants it to be quick and readable: what lies on the table
   is a few flat arrays, traits are bits, and options are counted rather than listed where that is cheaper.

   Freestanding C99: it includes nothing and calls nothing. `plain_play`, at the end, is all that others see of it. */

typedef unsigned int u32;
typedef unsigned long long u64;

enum {
    PLAYERS = 4,
    BOARDS = 24, /* species boards in the box, for all players together */
    LARGEST = 6, /* of a species' population, and of its body size */
    TRAIT_LIMIT = 3, CARDS = 129, KINDS = 17,
    LOOKS = KINDS << 4, /* see Card */
    /* A player at most has in one turn: each hunter, each prey, and what a hunter may outwit. */
    OPTIONS = (BOARDS + PLAYERS) * (BOARDS + PLAYERS + KINDS)
};

/* The kinds of trait cards, as bits of a mask. First come those of which a round has to know whether they were used;
   the others follow by name. */
enum {
    FAT_TISSUE = 1 << 0, FERTILE = 1 << 1, LONG_NECK = 1 << 2,
    AMBUSH = 1 << 3, BURROWING = 1 << 4, CARNIVORE = 1 << 5, CLIMBING = 1 << 6, COOPERATION = 1 << 7,
    DEFENSIVE_HERDING = 1 << 8, FORAGING = 1 << 9, HARD_SHELL = 1 << 10, HORNS = 1 << 11, INTELLIGENCE = 1 << 12,
    PACK_HUNTING = 1 << 13, SCAVENGER = 1 << 14, SYMBIOSIS = 1 << 15, WARNING_CALL = 1 << 16,
    BEFORE_FEEDING = FAT_TISSUE | FERTILE | LONG_NECK,
    OWN_DEFENCES = BURROWING | CLIMBING | DEFENSIVE_HERDING | SYMBIOSIS
};

/* The cards of each kind, in the order of the bits. */
static const struct { int copies; signed char food[17]; } FOOD_ON_CARDS[KINDS] = {
    {7, {-1, 0, 3, 4, 4, 5, 5}}, {7, {2, 3, 4, 5, 6, 6, 7}}, {7, {3, 4, 5, 6, 7, 8, 9}},
    {7, {-3, -2, -1, 0, 1, 2, 3}}, {7, {1, 2, 3, 3, 4, 4, 5}},
    {17, {0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6}}, {7, {1, 2, 3, 3, 4, 4, 5}}, {7, {0, 3, 3, 4, 4, 5, 5}},
    {7, {2, 3, 4, 5, 6, 7, 8}}, {7, {2, 3, 4, 5, 6, 6, 7}}, {7, {1, 2, 3, 3, 4, 4, 5}}, {7, {1, 2, 3, 3, 4, 4, 5}},
    {7, {-2, -1, 0, 4, 5, 6, 7}}, {7, {-3, -2, -1, 0, 1, 2, 3}}, {7, {2, 3, 4, 5, 6, 6, 7}}, {7, {1, 2, 3, 3, 4, 4, 5}},
    {7, {1, 2, 3, 3, 4, 4, 5}},
};

/* A card is how it looks: its kind, and the food on it. Cards that are alike need no names of their own. */
typedef unsigned short Card;
static Card card_of(int kind, int food) { return (Card)(kind << 4 | (food + 3)); }
static int kind_of(Card card) { return card >> 4; }
static int food_on(Card card) { return (card & 15) - 3; }

/* A species board. `done`: the traits used before this round's reveal; `outwitted`: what its attacks ignore in this turn. */
typedef struct {
    u32 traits, outwitted;
    Card card[TRAIT_LIMIT];
    int cards, population, body, food, fat, done;
} Species;

static const Species NEW_SPECIES = {.population = 1, .body = 1};

/* What lies before one player. Of the hand, `hand` has the `looks` that are in it, once each; `copies` by look how many
   of it, and `place` where it stands. `line` begins at 1; its place 0 and all places after the last species stay zero, so a
   neighbour beyond the end of the line has no traits, no size and no appetite, and nothing has to ask for the end. */
typedef struct {
    Species line[BOARDS + 2];
    int species, looks, bag;
    Card hand[CARDS];
    unsigned char copies[LOOKS], place[LOOKS];
} Player;

typedef struct {
    Player players[PLAYERS];
    Card piles[2][CARDS], *deck, *discards;
    int in_deck, in_discards;
    int boards;  /* species on the table */
    int hole;    /* food on the watering hole */
    int ran_out; /* the deck, since this was last looked at */
    u32 x, c; /* the random generator, both below 2 to the 30th */
    long long decisions, forced;
} Table;

/* What a player may do in a turn of feeding. Attacked is a `prey`, outwitted a `trait`. */
typedef struct { unsigned char act, species, owner, prey; u32 trait; } Option;
enum { GRAZE, THINK, OUTWIT, ATTACK };

/* ---- chance and cards */

/* Any number below n. The generator is that of rulelang's engine, so that chance costs both the same. */
static int below(Table *t, int n) {
    u64 sum = (u64)t->x * 998578647 + t->c;
    int found = (int)((u64)(t->x ^ t->c) * (u64)n >> 30);
    t->x = sum & 0x3FFFFFFF, t->c = (u32)(sum >> 30);
    return found;
}

#ifdef FOLLOW /* A test defines it, has another game choose and draw, and compares. */
static int pick(Table *t, int count);
static Card top(Table *t, const Player *p);
#else
/* A random player's choice. */
static int pick(Table *t, int count) {
    if (count == 1) return t->forced++, 0;
    return t->decisions++, below(t, count);
}

/* The card on the top of the deck. */
static Card top(Table *t, const Player *p) { return (void)p, t->deck[--t->in_deck]; }
#endif

static void discard(Table *t, Card card) { t->discards[t->in_discards++] = card; }

static void shuffle(Table *t) {
    for (int n = t->in_deck; n > 1; n--) {
        int place = below(t, n);
        Card card = t->deck[place];
        t->deck[place] = t->deck[n - 1], t->deck[n - 1] = card;
    }
}

/* Cards from the top of the deck. Where it runs out, the discards are shuffled and become the deck. */
static void draw(Table *t, Player *p, int cards) {
    while (cards--) {
        if (!t->in_deck) {
            Card *emptied = t->deck;
            t->ran_out = 1; /* though it be a shuffle of nothing */
            if (!t->in_discards) return;
            t->deck = t->discards, t->in_deck = t->in_discards;
            t->discards = emptied, t->in_discards = 0;
            shuffle(t);
        }
        Card card = top(t, p);
        if (!p->copies[card]++) p->place[card] = (unsigned char)p->looks, p->hand[p->looks++] = card;
    }
}

static Card take_out(Player *p, int place) {
    Card card = p->hand[place];
    if (!--p->copies[card]) {
        Card last = p->hand[--p->looks];
        p->hand[place] = last, p->place[last] = (unsigned char)place;
    }
    return card;
}

/* A card of the player's choice leaves the hand. */
static Card give_up_card(Table *t, Player *p) { return take_out(p, pick(t, p->looks)); }

/* ---- species */

static void found_species(Table *t, Player *p, int at) {
    for (int i = p->species++; i >= at; i--) p->line[i + 1] = p->line[i];
    p->line[at] = NEW_SPECIES;
    t->boards++;
}

/* How much food it can still take, storage included. */
static int room(const Species *s) {
    int hunger = s->population - s->food;
    return s->traits & FAT_TISSUE ? hunger + s->body - s->fat : hunger;
}

/* One helping; every cooperating species passes one food on to its right neighbour, and so along the line. */
static void eat(Table *t, Species *s, int helping, int meat, int hole) {
    for (;; s++, helping = 1) {
        if (!meat) {
            if (s->traits & CARNIVORE) return;
            if (s->traits & FORAGING) helping++;
        }
        int got = room(s), hunger = s->population - s->food;
        if (got > helping) got = helping;
        if (hole && got > t->hole) got = t->hole;
        if (got <= 0) return;
        if (hole) t->hole -= got;
        int eaten = got < hunger ? got : hunger;
        s->food += eaten;
        s->fat += got - eaten;
        if (!eaten || !(s->traits & COOPERATION)) return;
    }
}

/* It loses a population; food for which it has no mouth any more is the player's. */
static void shrink(Player *p, Species *s) {
    s->population--;
    if (s->food > s->population) s->food--, p->bag++;
}

/* Its food is saved, its cards are discarded and replaced; the line closes up. */
static void die_out(Table *t, Player *p, Species *s) {
    int cards = s->cards;
    p->bag += s->food + s->fat;
    for (int i = 0; i < cards; i++) discard(t, s->card[i]);
    for (const Species *end = p->line + p->species--; s <= end; s++) s[0] = s[1];
    t->boards--;
    draw(t, p, cards);
}

/* ---- playing cards */

static void drop_trait(Table *t, Player *p, Species *s, int at) {
    Card card = s->card[at];
    u32 trait = 1u << kind_of(card);
    discard(t, card);
    s->traits ^= trait;
    for (s->cards--; at < s->cards; at++) s->card[at] = s->card[at + 1];
    if (trait == FAT_TISSUE) p->bag += s->fat, s->fat = 0;
}

static int bears(const Species *s, Card card) { return s->traits >> kind_of(card) & 1; }

/* The place in the hand of the k-th card that the species could bear as a trait: of a kind that it has not. */
static int bearable_at(const Player *p, const Species *s, int k) {
    int place = 0;
    while (bears(s, p->hand[place]) || k--) place++;
    return place;
}

/* What a hand offers for one species: dropping a trait, and with each card more population, more body, or a trait. */
static int options_for(const Player *p, const Species *s) {
    int count = s->cards;
    for (int i = 0; i < p->looks; i++) {
        if (s->population < LARGEST) count++;
        if (s->body < LARGEST) count++;
        if (s->cards < TRAIT_LIMIT && !bears(s, p->hand[i])) count++;
    }
    return count;
}

/* Any number of cards, one after the other, until the player has had enough; traits may be given up without any. The options are counted, species by
   species; only the one that is drawn is looked for. In order: enough; a new species at either end; and of each
   species, dropping a trait, then, with each card, more population, more body, or a trait. */
static void play_cards(Table *t, Player *p) {
    for (;;) {
        int hand = p->looks, found = t->boards < BOARDS ? 2 * hand : 0, count = 1 + found;
        for (int i = 1; i <= p->species; i++) count += options_for(p, &p->line[i]);
        int k = pick(t, count), i = 1;
        if (!k--) return;
        if (k < found) {
            int right = k >= hand;
            discard(t, take_out(p, right ? k - hand : k));
            found_species(t, p, right ? p->species + 1 : 1);
            continue;
        }
        for (int n; (k -= found) >= (n = options_for(p, &p->line[i])); i++) found = n;
        Species *s = &p->line[i];
        int mouths = s->population < LARGEST ? hand : 0, sizes = s->body < LARGEST ? hand : 0;
        if (k < s->cards) {
            drop_trait(t, p, s, k);
        } else if ((k -= s->cards) < mouths) {
            s->population++, discard(t, take_out(p, k));
        } else if ((k -= mouths) < sizes) {
            s->body++, discard(t, take_out(p, k));
        } else {
            Card card = take_out(p, bearable_at(p, s, k - sizes));
            s->card[s->cards++] = card;
            s->traits |= 1u << kind_of(card);
        }
    }
}

/* ---- before food is revealed */

/* What traits do before the food cards are turned over: each once, in the order the player likes. */
static void prepare(Table *t, Player *p) {
    struct { Species *species; u32 trait; } options[3 * BOARDS];
    u32 any = 0;
    for (int i = 1; i <= p->species; i++) any |= p->line[i].traits;
    while (any & BEFORE_FEEDING) {
        int count = 0;
        for (int i = 1; i <= p->species; i++) {
            Species *s = &p->line[i];
            u32 can = s->traits & ~s->done & BEFORE_FEEDING;
            if (!t->hole || s->population == LARGEST) can &= ~FERTILE;
            if (s->traits & CARNIVORE || room(s) <= 0) can &= ~LONG_NECK;
            if (!s->fat || s->food >= s->population) can &= ~FAT_TISSUE;
            for (; can; can &= can - 1) options[count].species = s, options[count++].trait = can & -can;
        }
        if (!count) return;
        int k = pick(t, count);
        Species *s = options[k].species;
        s->done |= options[k].trait;
        if (options[k].trait == FERTILE) {
            s->population++;
        } else if (options[k].trait == LONG_NECK) {
            eat(t, s, 1, 0, 0);
        } else {
            int hunger = s->population - s->food, burnt = s->fat < hunger ? s->fat : hunger;
            s->fat -= burnt, s->food += burnt;
        }
    }
}

/* ---- feeding */

/* The traits that keep a hunter from a species, whatever its size. */
static u32 forbidding(const Species *hunter, const Species *prey) {
    u32 lacks = ~hunter->traits, defences = prey->traits;
    u32 found = lacks & AMBUSH ? (prey[-1].traits | prey[1].traits) & WARNING_CALL : 0;
    if (defences & OWN_DEFENCES) {
        found |= defences & lacks & CLIMBING;
        if (hunter->population <= prey->population) found |= defences & DEFENSIVE_HERDING;
        if (prey->food >= prey->population) found |= defences & BURROWING;
        if (prey[1].body > prey->body) found |= defences & SYMBIOSIS;
    }
    return found;
}

/* Writes what a carnivore may outwit, and answers how many: each trait that hinders an attack on another species. */
static int list_outwitted(const Table *t, const Player *p, int at, Option *options) {
    const Species *hunter = &p->line[at];
    u32 found = 0, all = 0;
    Option *o = options;
    for (int owner = 0; owner < PLAYERS; owner++) {
        const Player *other = &t->players[owner];
        for (int i = 1; i <= other->species; i++) {
            const Species *prey = &other->line[i];
            all |= prey->traits;
            if (prey != hunter) found |= forbidding(hunter, prey) | (prey->traits & (HORNS | HARD_SHELL));
        }
    }
    if (t->boards > 1) found |= all & SCAVENGER;
    for (found &= ~hunter->outwitted; found; found &= found - 1)
        *o++ = (Option){OUTWIT, (unsigned char)at, 0, 0, found & -found};
    return (int)(o - options);
}

/* Writes the attacks open to a carnivore, and answers how many. */
static int list_prey(const Table *t, const Player *p, int at, Option *options) {
    const Species *hunter = &p->line[at];
    int strength = hunter->traits & PACK_HUNTING ? hunter->body + hunter->population : hunter->body;
    u32 minds = ~hunter->outwitted;
    Option *o = options;
    for (int owner = 0; owner < PLAYERS; owner++) {
        const Player *other = &t->players[owner];
        for (int i = 1; i <= other->species; i++) {
            const Species *prey = &other->line[i];
            if (strength <= prey->body || prey == hunter) continue;
            if (prey->traits & minds & HARD_SHELL && strength <= prey->body + 4) continue;
            if (forbidding(hunter, prey) & minds) continue;
            *o++ = (Option){ATTACK, (unsigned char)at, (unsigned char)owner, (unsigned char)i, 0};
        }
    }
    return (int)(o - options);
}

static void attack(Table *t, int seat, Option o) {
    Player *p = &t->players[seat], *owner = &t->players[o.owner];
    Species *hunter = &p->line[o.species], *prey = &owner->line[o.prey];
    u32 minds = ~hunter->outwitted;
    int flesh = prey->body;
    shrink(owner, prey);
    if (prey->traits & minds & HORNS) shrink(p, hunter);
    if (!prey->population) {
        die_out(t, owner, prey);
        hunter -= p == owner && o.prey < o.species; /* it moved with its line */
    }
    if (hunter->population) eat(t, hunter, flesh, 1, 0);
    else die_out(t, p, hunter);
    for (int i = 0; i < PLAYERS && minds & SCAVENGER; i++) {
        Player *guest = &t->players[(seat + i) % PLAYERS];
        for (Species *s = guest->line + 1; s <= guest->line + guest->species; s++)
            if (s->traits & SCAVENGER) eat(t, s, 1, 1, 0);
    }
}

/* A player's turn: one feeding, and intelligence before and after it. 0 if the player passed. */
static int feed(Table *t, int seat) {
    Player *p = &t->players[seat];
    Option options[OPTIONS];
    for (int fed = 0, moved = 0;; moved = 1) {
        int compelled = 0, n = 0;
        for (int i = 1; i <= p->species; i++) {
            const Species *s = &p->line[i];
            if (room(s) <= 0) continue;
            int hungry = s->food < s->population, thinks = s->traits & INTELLIGENCE && p->looks;
            if (s->traits & CARNIVORE) {
                if (thinks) n += list_outwitted(t, p, i, options + n);
                if (fed) continue;
                int found = list_prey(t, p, i, options + n);
                n += found;
                compelled |= hungry && found;
                continue;
            }
            if (t->hole && !fed) {
                options[n++] = (Option){GRAZE, (unsigned char)i, 0, 0, 0};
                compelled |= hungry;
            }
            if (thinks) options[n++] = (Option){THINK, (unsigned char)i, 0, 0, 0};
        }
        int k = pick(t, n + (fed || !compelled));
        if (k == n) {
            for (int i = 1; i <= p->species; i++) p->line[i].outwitted = 0;
            return moved;
        }
        Option o = options[k];
        if (o.act == ATTACK) {
            fed = 1;
            attack(t, seat, o);
        } else if (o.act == GRAZE) {
            fed = 1;
            eat(t, &p->line[o.species], 1, 0, 1);
        } else {
            discard(t, give_up_card(t, p));
            if (o.act == THINK) eat(t, &p->line[o.species], 2, 0, 0);
            else p->line[o.species].outwitted |= o.trait;
        }
    }
}

/* ---- the flow */

/* The unfed starve; what was eaten goes into the bag. */
static void settle(Table *t, Player *p) {
    for (int i = 1; i <= p->species;) {
        Species *s = &p->line[i];
        if (s->population > s->food) s->population = s->food;
        if (s->population) p->bag += s->food, s->food = s->done = 0, i++;
        else die_out(t, p, s);
    }
}

/* One game from the first deal to the last harvest. Answers its rounds. */
static int play(Table *t, int first) {
    for (int rounds = 1;; rounds++, first = (first + 1) % PLAYERS) {
        Player *seats[PLAYERS];
        Card chosen[PLAYERS];
        int choices = 0, last = t->ran_out;
        for (int i = 0; i < PLAYERS; i++) seats[i] = &t->players[(first + i) % PLAYERS];
        t->ran_out = 0;
        for (int i = 0; i < PLAYERS; i++) {
            if (!seats[i]->species) found_species(t, seats[i], 1);
            draw(t, seats[i], 3 + seats[i]->species);
        }
        last |= t->ran_out;
        t->ran_out = 0;
        for (int i = 0; i < PLAYERS; i++)
            if (seats[i]->looks) chosen[choices++] = give_up_card(t, seats[i]);
        for (int i = 0; i < PLAYERS; i++) play_cards(t, seats[i]);
        for (int i = 0; i < PLAYERS; i++) prepare(t, seats[i]);
        for (int i = 0; i < choices; i++) t->hole += food_on(chosen[i]), discard(t, chosen[i]);
        if (t->hole < 0) t->hole = 0;
        for (int seat = first, passes = 0; passes < PLAYERS; seat = (seat + 1) % PLAYERS)
            passes = feed(t, seat) ? 0 : passes + 1;
        for (int i = 0; i < PLAYERS; i++) settle(t, seats[i]);
        if (last) return rounds;
    }
}

static int score(const Player *p) {
    int points = p->bag;
    for (int i = 1; i <= p->species; i++) points += p->line[i].population + p->line[i].cards + p->line[i].fat;
    return points;
}

#ifdef _WIN32
#define SEEN __declspec(dllexport)
#else
#define SEEN __attribute__((visibility("default")))
#endif
/* An empty table, and the cards of the game in its deck. Chance and the counts of decisions go on. */
static void set_up(Table *t) {
    for (int seat = 0; seat < PLAYERS; seat++) {
        Player *p = &t->players[seat];
        for (int i = 0; i < BOARDS + 2; i++) p->line[i] = (Species){0};
        for (int i = 0; i < LOOKS; i++) p->copies[i] = 0;
        p->species = p->looks = p->bag = 0;
    }
    t->boards = t->hole = t->ran_out = t->in_deck = t->in_discards = 0;
    t->deck = t->piles[0], t->discards = t->piles[1];
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < FOOD_ON_CARDS[kind].copies; i++)
            t->deck[t->in_deck++] = card_of(kind, FOOD_ON_CARDS[kind].food[i]);
    shuffle(t);
}

/* Plays so many games from the seed on and answers how many decisions they had. `totals` becomes, over all games:
   decisions, forced choices, rounds, then the score of each seat. */
SEEN long long plain_play(unsigned long long seed, long long games, long long *totals) {
    Table t;
    seed = (seed ^ 0x9E3779B97F4A7C15ULL) * 0xD1342543DE82EF95ULL; /* seeds in a row lie far apart */
    t.x = seed >> 34, t.c = (seed >> 4 & 0x1FFFFFFF) + 1;
    t.decisions = t.forced = 0;
    for (int i = 0; i < 3 + PLAYERS; i++) totals[i] = 0;
    while (games--) {
        set_up(&t);
        totals[2] += play(&t, below(&t, PLAYERS));
        for (int seat = 0; seat < PLAYERS; seat++) totals[3 + seat] += score(&t.players[seat]);
    }
    totals[1] = t.forced;
    return totals[0] = t.decisions;
}

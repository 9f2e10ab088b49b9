/* Evolution for four random players, written by hand in C: the yardstick for the native backend.

   It is the game of plain_evolution.py: the same readings of the rules, which stand there, the same order of events and
   the same count of decisions. The style is that of somebody who wants it to be quick and readable: what lies on the table
   is a few flat arrays, traits are bits, and options are counted rather than listed where that is cheaper.

   Freestanding C99: it includes nothing and calls nothing. `plain_play`, at the end, is all that others see of it. */

typedef unsigned int u32;
typedef unsigned long long u64;

enum {
    PLAYERS = 4,
    BOARDS = 24, /* species boards in the box, for all players together */
    LARGEST = 6, /* of a species' population, and of its body size */
    TRAIT_LIMIT = 3, CARDS = 129, KINDS = 17,
    /* A player at most has in one turn: each hunter, each prey, horns and scavengers ignored or not. */
    OPTIONS = BOARDS * (BOARDS + PLAYERS) * 4
};

/* The kinds of trait cards, as bits of a mask. First come those of which a round has to know whether they were used;
   the others follow by name. */
enum {
    FAT_TISSUE = 1 << 0, FERTILE = 1 << 1, LONG_NECK = 1 << 2,
    AMBUSH = 1 << 3, BURROWING = 1 << 4, CARNIVORE = 1 << 5, CLIMBING = 1 << 6, COOPERATION = 1 << 7,
    DEFENSIVE_HERDING = 1 << 8, FORAGING = 1 << 9, HARD_SHELL = 1 << 10, HORNS = 1 << 11, INTELLIGENCE = 1 << 12,
    PACK_HUNTING = 1 << 13, SCAVENGER = 1 << 14, SYMBIOSIS = 1 << 15, WARNING_CALL = 1 << 16,
    BEFORE_FEEDING = FAT_TISSUE | FERTILE | LONG_NECK,
    OWN_DEFENCES = BURROWING | CLIMBING | DEFENSIVE_HERDING | HARD_SHELL | SYMBIOSIS
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

/* Cards that are alike need no names of their own. */
typedef struct { int kind, food; } Card;

/* A species board. `done`: the traits used before this round's reveal. */
typedef struct {
    u32 traits;
    Card card[TRAIT_LIMIT];
    int cards, population, body, food, fat, done;
} Species;

static const Species NEW_SPECIES = {.population = 1, .body = 1};

/* What lies before one player. `line` begins at 1; its place 0 and all places after the last species stay zero, so a
   neighbour beyond the end of the line has no traits, no size and no appetite, and nothing has to ask for the end. */
typedef struct {
    Species line[BOARDS + 2];
    int species, cards, bag;
    Card hand[CARDS];
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

/* What a player may do in a turn of feeding. Of an attack, `price` cards are paid for what intelligence ignores;
   `horns` and `scavengers` are 0 if it is these. */
typedef struct { int act, species, owner, prey, price, horns, scavengers; } Option;
enum { GRAZE, THINK, ATTACK };

/* ---- chance and cards */

/* Any number below n. The generator is that of rulelang's engine, so that chance costs both the same. */
static int below(Table *t, int n) {
    u64 sum = (u64)t->x * 998578647 + t->c;
    int found = (int)((u64)(t->x ^ t->c) * (u64)n >> 30);
    t->x = sum & 0x3FFFFFFF, t->c = (u32)(sum >> 30);
    return found;
}

/* A random player's choice. */
static int pick(Table *t, int count) {
    if (count == 1) return t->forced++, 0;
    return t->decisions++, below(t, count);
}

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
            if (!t->in_discards) return;
            t->deck = t->discards, t->in_deck = t->in_discards;
            t->discards = emptied, t->in_discards = 0;
            t->ran_out = 1;
            shuffle(t);
        }
        Card card = t->deck[--t->in_deck];
        p->hand[p->cards++] = card;
    }
}

static Card take_out(Player *p, int place) {
    Card card = p->hand[place];
    p->hand[place] = p->hand[--p->cards];
    return card;
}

/* A card of the player's choice leaves the hand. */
static Card give_up_card(Table *t, Player *p) { return take_out(p, pick(t, p->cards)); }

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
    u32 trait = 1u << card.kind;
    discard(t, card);
    s->traits ^= trait;
    for (s->cards--; at < s->cards; at++) s->card[at] = s->card[at + 1];
    if (trait == FAT_TISSUE) p->bag += s->fat, s->fat = 0;
}

static int bears(const Species *s, Card card) { return s->traits >> card.kind & 1; }

/* The place in the hand of the k-th card that the species could bear as a trait: of a kind that it has not. */
static int bearable_at(const Player *p, const Species *s, int k) {
    int place = 0;
    while (bears(s, p->hand[place]) || k--) place++;
    return place;
}

/* What a hand offers for one species: dropping a trait, and with each card more population, more body, or a trait. */
static int options_for(const Player *p, const Species *s) {
    int count = s->cards;
    for (int i = 0; i < p->cards; i++) {
        if (s->population < LARGEST) count++;
        if (s->body < LARGEST) count++;
        if (s->cards < TRAIT_LIMIT && !bears(s, p->hand[i])) count++;
    }
    return count;
}

/* Any number of cards, one after the other, until the player has had enough. The options are counted, species by
   species; only the one that is drawn is looked for. In order: enough; a new species at either end; and of each
   species, dropping a trait, then, with each card, more population, more body, or a trait. */
static void play_cards(Table *t, Player *p) {
    while (p->cards) {
        int hand = p->cards, found = t->boards < BOARDS ? 2 * hand : 0, count = 1 + found;
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
            s->traits |= 1u << card.kind;
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

/* How many traits stand between a hunter and a smaller species; each could be ignored. */
static int hindrances(const Species *hunter, int strength, const Species *prey) {
    u32 lacks = ~hunter->traits, defences = prey->traits;
    int count = (prey[-1].traits | prey[1].traits) & WARNING_CALL && lacks & AMBUSH;
    if (defences & OWN_DEFENCES) {
        count += defences & HARD_SHELL && strength <= prey->body + 4;
        count += (defences & lacks & CLIMBING) != 0;
        count += defences & DEFENSIVE_HERDING && hunter->population <= prey->population;
        count += defences & BURROWING && prey->food >= prey->population;
        count += defences & SYMBIOSIS && prey[1].body > prey->body;
    }
    return count;
}

static int any_scavenger(const Table *t) {
    for (int seat = 0; seat < PLAYERS; seat++)
        for (int i = 1; i <= t->players[seat].species; i++)
            if (t->players[seat].line[i].traits & SCAVENGER) return 1;
    return 0;
}

/* Writes the attacks open to a carnivore, and answers how many. `unaided` becomes 1 if one of them costs no card. */
static int list_prey(const Table *t, const Player *p, int at, Option *options, int *unaided) {
    const Species *hunter = &p->line[at];
    int strength = hunter->traits & PACK_HUNTING ? hunter->body + hunter->population : hunter->body;
    int cards = hunter->traits & INTELLIGENCE ? p->cards : 0, scavengers = cards && any_scavenger(t);
    Option *o = options;
    for (int owner = 0; owner < PLAYERS; owner++) {
        const Player *other = &t->players[owner];
        for (int i = 1; i <= other->species; i++) {
            const Species *prey = &other->line[i];
            if (strength <= prey->body || prey == hunter) continue;
            int price = hindrances(hunter, strength, prey), horns = (prey->traits & HORNS) != 0;
            if (price > cards) continue;
            *o++ = (Option){ATTACK, at, owner, i, price, 1, 1};
            *unaided |= !price;
            if (price == cards) continue;
            if (horns) *o++ = (Option){ATTACK, at, owner, i, price + 1, 0, 1};
            if (scavengers) *o++ = (Option){ATTACK, at, owner, i, price + 1, 1, 0};
            if (horns && scavengers && price + 2 <= cards) *o++ = (Option){ATTACK, at, owner, i, price + 2, 0, 0};
        }
    }
    return (int)(o - options);
}

static void attack(Table *t, int seat, Option o) {
    Player *p = &t->players[seat], *owner = &t->players[o.owner];
    Species *hunter = &p->line[o.species], *prey = &owner->line[o.prey];
    for (int i = 0; i < o.price; i++) discard(t, give_up_card(t, p));
    int flesh = prey->body;
    shrink(owner, prey);
    if (o.horns && prey->traits & HORNS) shrink(p, hunter);
    if (!prey->population) {
        die_out(t, owner, prey);
        hunter -= p == owner && o.prey < o.species; /* it moved with its line */
    }
    if (hunter->population) eat(t, hunter, flesh, 1, 0);
    else die_out(t, p, hunter);
    for (int i = 0; i < PLAYERS && o.scavengers; i++) {
        Player *guest = &t->players[(seat + i) % PLAYERS];
        for (Species *s = guest->line + 1; s <= guest->line + guest->species; s++)
            if (s->traits & SCAVENGER) eat(t, s, 1, 1, 0);
    }
}

/* A player's turn: one feeding, and intelligence before and after it. 0 if the player passed. */
static int feed(Table *t, int seat) {
    Player *p = &t->players[seat];
    Option needed[OPTIONS], spare[OPTIONS]; /* what feeds the hungry, and thinking; what only fills a store */
    for (int fed = 0, moved = 0;; moved = 1) {
        int compelled = 0, unaided = 0, n = 0, spares = 0;
        for (int i = 1; i <= p->species; i++) {
            const Species *s = &p->line[i];
            if (room(s) <= 0) continue;
            int hungry = s->food < s->population;
            if (s->traits & CARNIVORE) {
                if (fed) continue;
                if (hungry) n += list_prey(t, p, i, needed + n, &compelled);
                else spares += list_prey(t, p, i, spare + spares, &unaided);
                continue;
            }
            if (t->hole && !fed) {
                *(hungry ? &needed[n++] : &spare[spares++]) = (Option){GRAZE, i, 0, 0, 0, 0, 0};
                compelled |= hungry;
            }
            if (s->traits & INTELLIGENCE && p->cards) needed[n++] = (Option){THINK, i, 0, 0, 0, 0, 0};
        }
        if (compelled) spares = 0;
        int k = pick(t, n + spares + (fed || !compelled));
        if (k == n + spares) return moved;
        Option o = k < n ? needed[k] : spare[k - n];
        fed |= o.act != THINK;
        if (o.act == ATTACK) {
            attack(t, seat, o);
        } else if (o.act == GRAZE) {
            eat(t, &p->line[o.species], 1, 0, 1);
        } else {
            discard(t, give_up_card(t, p));
            eat(t, &p->line[o.species], 2, 0, 0);
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
static int play(Table *t) {
    for (int first = below(t, PLAYERS), rounds = 1;; rounds++, first = (first + 1) % PLAYERS) {
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
            if (seats[i]->cards) chosen[choices++] = give_up_card(t, seats[i]);
        for (int i = 0; i < PLAYERS; i++) play_cards(t, seats[i]);
        for (int i = 0; i < PLAYERS; i++) prepare(t, seats[i]);
        for (int i = 0; i < choices; i++) t->hole += chosen[i].food, discard(t, chosen[i]);
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
        p->species = p->cards = p->bag = 0;
    }
    t->boards = t->hole = t->ran_out = t->in_deck = t->in_discards = 0;
    t->deck = t->piles[0], t->discards = t->piles[1];
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < FOOD_ON_CARDS[kind].copies; i++)
            t->deck[t->in_deck++] = (Card){kind, FOOD_ON_CARDS[kind].food[i]};
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
        totals[2] += play(&t);
        for (int seat = 0; seat < PLAYERS; seat++) totals[3 + seat] += score(&t.players[seat]);
    }
    totals[1] = t.forced;
    return totals[0] = t.decisions;
}

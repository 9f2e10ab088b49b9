/* The Origin of Species for four random players, written by hand in C: a yardstick like plain_evolution.c.

   It is the game of plain_origin_of_species.py: the same readings of the rules, which stand there, and the same options at
   each decision (tests/yardsticks plays both beside the compiled rules). Where a card may be laid is counted rather than
   listed, from how many bear what.

   Freestanding C99: it includes nothing and calls nothing. `plain_play`, at the end, is all that others see of it. */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

enum { PLAYERS = 4, DICE = 2, DICE_PLUS = 2, FULL_HAND = 6, CARDS = 84, LOOKS = 20, LONG_AGO = -9 };

/* The traits. Pairs come first, then what defends. */
enum {
    COMMUNICATION, COOPERATION, SYMBIOSIS, MIMICRY, RUNNING, TAIL_LOSS, PIRACY, SCAVENGER, SWIMMING, CARNIVORE,
    POISONOUS, HIBERNATION, MASSIVE, PARASITE, FAT_TISSUE, GRAZING, CAMOUFLAGE, BURROWING, SHARP_VISION, FACES
};
#define BIT(face) (1u << (face))
#define PAIRS (BIT(COMMUNICATION) | BIT(COOPERATION) | BIT(SYMBIOSIS))
#define DEFENCES (BIT(MIMICRY) | BIT(RUNNING) | BIT(TAIL_LOSS))

/* The faces of the cards of each look; one face twice is the only one. There are four of each, of the last one eight. */
static const struct { u8 faces, face[2]; } ON_CARDS[LOOKS] = {
    {1, {PIRACY}}, {1, {MIMICRY}}, {1, {SCAVENGER}}, {1, {RUNNING}}, {1, {TAIL_LOSS}}, {1, {SYMBIOSIS}},
    {2, {CARNIVORE, POISONOUS}}, {2, {CARNIVORE, HIBERNATION}}, {2, {CARNIVORE, MASSIVE}}, {2, {CARNIVORE, PARASITE}},
    {2, {CARNIVORE, COMMUNICATION}}, {2, {CARNIVORE, COOPERATION}}, {2, {FAT_TISSUE, GRAZING}},
    {2, {FAT_TISSUE, CAMOUFLAGE}}, {2, {FAT_TISSUE, MASSIVE}}, {2, {FAT_TISSUE, PARASITE}},
    {2, {FAT_TISSUE, BURROWING}}, {2, {FAT_TISSUE, SHARP_VISION}}, {2, {FAT_TISSUE, COOPERATION}}, {1, {SWIMMING}},
};
static const u8 PLUS[FACES] = {[CARNIVORE] = 1, [MASSIVE] = 1, [PARASITE] = 2};

/* A card that was played; cards are numbered as they are. Laid on an animal it shows a face, and may join that animal to
   a partner. `used`: in this turn; `struck`: the attack against which it was used. */
typedef struct { u8 face, on, partner, fat, used; u32 struck; } Card;

/* An animal has the number of the card that it is. `cards` lie on it, of `joined` it is the partner. Of traits that it
   has once at most it knows itself when they were used. */
typedef struct {
    u32 traits;
    int owner, look, need, red, blue, fats, stored, slept, hunted, poisoned, robbed, trampled, cards, joined;
    u8 card[CARDS], join[CARDS];
} Animal;

/* `hand` has the `looks` that are in it, once each, and `copies` by look how many of it. `bearers`: by face, of how many
   of the animals; of a pair, how many cards. */
typedef struct {
    int animals, looks, cards, discards;
    u8 line[CARDS], hand[LOOKS], copies[LOOKS];
    int bearers[FACES];
} Player;

/* A card of a pair, and which of both animals gets something. */
typedef struct { u8 card, other; } Pair;

typedef struct {
    Player players[PLAYERS];
    Animal animals[CARDS];
    Card cards[CARDS];
    u8 deck[CARDS], used[CARDS];
    Pair waiting[2 * CARDS];
    int in_deck, made, in_use, waits, open; /* `open`: meals that have not ended */
    int base, round, last_round;
    u32 attacks;
    u32 x, c; /* the random generator, both below 2 to the 30th */
    long long decisions, forced;
} Table;

/* What a player may do in a turn of feeding. Of an attack or a robbery `other` suffers; of fat it is how much. */
typedef struct { u8 act, animal, other; } Option;
enum { PASS, TAKE, HUNT, BURN, TRAMPLE, SLEEP, ROB };

/* ---- chance and cards */

/* Any number below n. The generator is that of rulelang's engine, so that chance costs both the same. */
static int below(Table *t, int n) {
    u64 sum = (u64)t->x * 998578647 + t->c;
    int found = (int)((u64)(t->x ^ t->c) * (u64)n >> 30);
    t->x = sum & 0x3FFFFFFF, t->c = (u32)(sum >> 30);
    return found;
}

#ifdef FOLLOW /* A test defines it, has another game choose, draw and roll, and compares. */
static int pick(Table *t, int count);
static int top(Table *t, int seat);
static int die(Table *t);
#else
/* A random player's choice. */
static int pick(Table *t, int count) {
    if (count == 1) return t->forced++, 0;
    return t->decisions++, below(t, count);
}

/* The card on the top of the deck. */
static int top(Table *t, int seat) { return (void)seat, t->deck[--t->in_deck]; }

static int die(Table *t) { return 1 + below(t, 6); }
#endif

static void draw(Table *t, int seat) {
    Player *p = &t->players[seat];
    int look = top(t, seat);
    if (!p->copies[look]++) p->hand[p->looks++] = (u8)look;
    p->cards++;
}

/* A card of the hand is played; it gets a number. */
static int play_from(Table *t, Player *p, int place) {
    int look = p->hand[place];
    if (!--p->copies[look]) p->hand[place] = p->hand[--p->looks];
    p->cards--;
    return t->made++;
}

/* ---- animals */

static int lack(const Animal *a) {
    int more = a->need - a->red - a->blue;
    return more > 0 ? more : 0;
}

static int asleep(const Table *t, const Animal *a) { return a->traits & BIT(HIBERNATION) && a->slept == t->round; }
static int fed(const Table *t, const Animal *a) { return !lack(a) || asleep(t, a); }

static int can_gain(const Table *t, const Animal *a) {
    if (lack(a) + a->fats <= a->stored || asleep(t, a)) return 0;
    if (a->traits & BIT(SYMBIOSIS))
        for (int i = 0; i < a->cards; i++) {
            const Card *card = &t->cards[a->card[i]];
            if (card->face == SYMBIOSIS && !fed(t, &t->animals[card->partner])) return 0;
        }
    return 1;
}

static void hatch(Table *t, int seat, int place) {
    Player *p = &t->players[seat];
    int look = p->hand[place], id = play_from(t, p, place);
    Animal *a = &t->animals[id];
    a->traits = 0, a->owner = seat, a->look = look, a->need = 1;
    a->red = a->blue = a->fats = a->stored = a->hunted = a->poisoned = a->robbed = a->trampled = a->cards = a->joined = 0;
    p->line[p->animals++] = (u8)id;
}

/* `partner`: itself if there is none. */
static void lay(Table *t, int seat, int place, int face, int animal, int partner) {
    int id = play_from(t, &t->players[seat], place);
    Animal *a = &t->animals[animal];
    int *bearers = t->players[a->owner].bearers;
    t->cards[id] = (Card){(u8)face, (u8)animal, (u8)partner, 0, 0, 0};
    a->card[a->cards++] = (u8)id;
    a->need += PLUS[face];
    if (partner != animal) {
        Animal *other = &t->animals[partner];
        other->join[other->joined++] = (u8)id;
        bearers[face]++;
    } else if (!(a->traits & BIT(face))) {
        bearers[face]++;
    }
    a->traits |= BIT(face);
    if (face == FAT_TISSUE) a->fats++;
    if (face == HIBERNATION) a->slept = LONG_AGO;
    if (face == PIRACY) a->robbed = 0;
    if (face == GRAZING) a->trampled = 0;
}

static void take_from(u8 *list, int *count, int id) {
    int i = 0;
    while (list[i] != id) i++;
    for (--*count; i < *count; i++) list[i] = list[i + 1];
}

/* A card leaves its animal for the discards of the animal's owner; food beyond what it needs goes, red before blue. */
static void shed(Table *t, int id) {
    Card card = t->cards[id];
    Animal *a = &t->animals[card.on];
    Player *p = &t->players[a->owner];
    int face = card.face, more = 0;
    take_from(a->card, &a->cards, id);
    for (int i = 0; i < a->cards; i++) more |= t->cards[a->card[i]].face == face;
    if (!more) a->traits &= ~BIT(face);
    if (!more || card.partner != card.on) p->bearers[face]--;
    if (card.partner != card.on) take_from(t->animals[card.partner].join, &t->animals[card.partner].joined, id);
    if (face == FAT_TISSUE) a->fats--, a->stored -= card.fat;
    a->need -= PLUS[face];
    int surplus = a->red + a->blue - a->need;
    if (surplus > 0) {
        int red = surplus < a->red ? surplus : a->red;
        a->red -= red, a->blue -= surplus - red;
    }
    p->discards++;
}

static void die_out(Table *t, int animal) {
    Animal *a = &t->animals[animal];
    Player *p = &t->players[a->owner];
    while (a->cards) shed(t, a->card[0]);
    while (a->joined) shed(t, a->join[0]);
    p->discards++;
    take_from(p->line, &p->animals, animal);
}

/* ---- playing cards */

/* In how many ways a face can be laid. Animals of one player are joined by a pair once at most. */
static int ways(const Table *t, int seat, int face) {
    const Player *p = &t->players[seat];
    int n = p->animals, count = 0;
    if (BIT(face) & PAIRS) {
        count = n * (n - 1) / 2 - p->bearers[face];
        return face == SYMBIOSIS ? 2 * count : count;
    }
    if (face == PARASITE) {
        for (int i = 0; i < PLAYERS; i++)
            if (i != seat) count += t->players[i].animals - t->players[i].bearers[PARASITE];
        return count;
    }
    if (face == FAT_TISSUE) return n;
    if (face == CARNIVORE || face == SCAVENGER) return n - p->bearers[CARNIVORE] - p->bearers[SCAVENGER];
    return n - p->bearers[face];
}

static int paired(const Table *t, int face, int animal, int other) {
    const Animal *a = &t->animals[animal];
    for (int i = 0; i < a->cards; i++)
        if (t->cards[a->card[i]].face == face && t->cards[a->card[i]].partner == other) return 1;
    for (int i = 0; i < a->joined; i++)
        if (t->cards[a->join[i]].face == face && t->cards[a->join[i]].on == other) return 1;
    return 0;
}

/* Lays a card in the k-th way. */
static void lay_nth(Table *t, int seat, int place, int face, int k) {
    const Player *p = &t->players[seat];
    if (BIT(face) & PAIRS) {
        for (int at = 0;; at++)
            for (int to = face == SYMBIOSIS ? 0 : at + 1; to < p->animals; to++)
                if (at != to && !paired(t, face, p->line[at], p->line[to]) && !k--) {
                    lay(t, seat, place, face, p->line[at], p->line[to]);
                    return;
                }
    }
    u32 never = BIT(face);
    if (face == FAT_TISSUE) never = 0;
    if (face == CARNIVORE || face == SCAVENGER) never = BIT(CARNIVORE) | BIT(SCAVENGER);
    int owner = seat;
    if (face == PARASITE) /* the rivals follow by seat */
        for (owner = seat == 0;; owner += 1 + (owner + 1 == seat)) {
            int there = t->players[owner].animals - t->players[owner].bearers[face];
            if (k < there) break;
            k -= there;
        }
    const u8 *animal = t->players[owner].line;
    while (t->animals[*animal].traits & never || k--) animal++;
    lay(t, seat, place, face, *animal, *animal);
}

/* One card, or pass, which comes first; then, by look of the hand, as an animal, and each of its faces. */
static int play_card(Table *t, int seat) {
    Player *p = &t->players[seat];
    int by_face[FACES], of_look[LOOKS], count = 1;
    for (int i = 0; i < FACES; i++) by_face[i] = -1;
    for (int i = 0; i < p->looks; i++) {
        int look = p->hand[i], n = 1;
        for (int k = 0; k < ON_CARDS[look].faces; k++) {
            int face = ON_CARDS[look].face[k];
            if (by_face[face] < 0) by_face[face] = ways(t, seat, face);
            n += by_face[face];
        }
        count += of_look[i] = n;
    }
    int k = pick(t, count), i = 0;
    if (!k--) return 0;
    while (k >= of_look[i]) k -= of_look[i++];
    if (!k--) {
        hatch(t, seat, i);
        return 1;
    }
    int face = ON_CARDS[p->hand[i]].face[0];
    if (k >= by_face[face]) k -= by_face[face], face = ON_CARDS[p->hand[i]].face[1];
    lay_nth(t, seat, i, face, k);
    return 1;
}

/* ---- eating */

static void take(Table *t, int actor, int animal);
static void gain(Table *t, int actor, int animal, int food, int red);

static void use(Table *t, int id) { t->cards[id].used = 1, t->used[t->in_use++] = (u8)id; }

static int shares(const Table *t, Pair pair) {
    const Card *card = &t->cards[pair.card];
    return !card->used && (card->face == COOPERATION || t->base) && can_gain(t, &t->animals[pair.other]);
}

static void wait_for(Table *t, int card, int other) {
    if (t->cards[card].used) return;
    for (int i = 0; i < t->waits; i++)
        if (t->waiting[i].card == card && t->waiting[i].other == other) return;
    t->waiting[t->waits++] = (Pair){(u8)card, (u8)other};
}

/* When the first meal has ended, the other animals of its pairs get something too, in the order that their owner likes,
   or none of them does; what follows from that waits among the others. */
static void drain(Table *t, int actor) {
    u8 may[2 * CARDS];
    t->open = 1;
    for (;;) {
        int n = 0;
        for (int i = 0; i < t->waits; i++)
            if (shares(t, t->waiting[i])) may[n++] = (u8)i;
        if (!n) break;
        int k = pick(t, n + 1);
        if (k == n) break;
        Pair pair = t->waiting[may[k]];
        t->waits--;
        for (int i = may[k]; i < t->waits; i++) t->waiting[i] = t->waiting[i + 1];
        use(t, pair.card);
        if (t->cards[pair.card].face == COMMUNICATION) take(t, actor, pair.other);
        else gain(t, actor, pair.other, 1, 0);
    }
    t->open = t->waits = 0;
}

/* A meal has ended: the other animals of these pairs wait for something. */
static void close(Table *t, int actor, int animal, int face) {
    const Animal *a = &t->animals[animal];
    if (a->owner == actor && t->players[actor].bearers[face]) {
        for (int i = 0; i < a->cards; i++)
            if (t->cards[a->card[i]].face == face) wait_for(t, a->card[i], t->cards[a->card[i]].partner);
        for (int i = 0; i < a->joined; i++)
            if (t->cards[a->join[i]].face == face) wait_for(t, a->join[i], t->cards[a->join[i]].on);
    }
    if (!--t->open && t->waits) drain(t, actor);
}

/* One red food, and what communication brings. */
static void take(Table *t, int actor, int animal) {
    t->open++;
    t->base--;
    gain(t, actor, animal, 1, 1);
    close(t, actor, animal, COMMUNICATION);
}

/* Food for its need, then for its fat, and what cooperation brings. */
static void gain(Table *t, int actor, int animal, int food, int red) {
    Animal *a = &t->animals[animal];
    int eaten = lack(a) < food ? lack(a) : food;
    t->open++;
    if (red) a->red += eaten;
    else a->blue += eaten;
    food -= eaten;
    for (int i = 0; food && a->stored < a->fats; i++) {
        Card *card = &t->cards[a->card[i]];
        if (card->face == FAT_TISSUE && !card->fat) card->fat = 1, a->stored++, food--;
    }
    close(t, actor, animal, COOPERATION);
}

static void burn_fat(Table *t, Animal *a, int food) {
    a->blue += food;
    a->stored -= food;
    for (int i = 0; food; i++) {
        Card *card = &t->cards[a->card[i]];
        if (card->fat) card->fat = 0, food--;
    }
}

static void rob(Table *t, int seat, int animal, Animal *victim) {
    t->animals[animal].robbed = 1;
    if (victim->red) victim->red--;
    else victim->blue--;
    gain(t, seat, animal, 1, 0);
}

/* ---- hunting */

static int can_strike(const Table *t, const Animal *hunter, const Animal *prey) {
    u32 skills = hunter->traits, defences = prey->traits;
    if (hunter == prey || (skills ^ defences) & BIT(SWIMMING)) return 0;
    if (defences & BIT(CAMOUFLAGE) && !(skills & BIT(SHARP_VISION))) return 0;
    if (defences & ~skills & BIT(MASSIVE) || defences & BIT(SYMBIOSIS)) return 0;
    return !(defences & BIT(BURROWING) && fed(t, prey));
}

/* The animals of its owner that can be attacked in the place of the prey. */
static int others(const Table *t, const Animal *hunter, int prey, u8 *found) {
    const Player *p = &t->players[t->animals[prey].owner];
    int n = 0;
    for (int i = 0; i < p->animals; i++)
        if (p->line[i] != prey && can_strike(t, hunter, &t->animals[p->line[i]])) found[n++] = p->line[i];
    return n;
}

/* The prey's defences, in the order its owner likes, each once in an attack; then it dies. */
static void strike(Table *t, int seat, int hunter, int prey) {
    Animal *h = &t->animals[hunter], *a = &t->animals[prey];
    while (a->traits & DEFENCES) {
        u8 defences[FACES], instead[CARDS];
        int n = 0, there = a->traits & BIT(MIMICRY) ? others(t, h, prey, instead) : 0;
        for (int face = MIMICRY; face <= TAIL_LOSS; face++)
            for (int i = 0; a->traits & BIT(face) && i < a->cards; i++) {
                const Card *card = &t->cards[a->card[i]];
                if (card->face == face && card->struck != t->attacks && (face != MIMICRY || there))
                    defences[n++] = a->card[i];
            }
        if (!n) break;
        Card *card = &t->cards[defences[pick(t, n)]];
        card->struck = t->attacks;
        if (card->face == RUNNING) {
            if (die(t) >= 4) return;
        } else if (card->face == TAIL_LOSS) {
            int k = pick(t, a->cards + a->joined);
            shed(t, k < a->cards ? a->card[k] : a->join[k - a->cards]);
            gain(t, seat, hunter, 1, 0);
            return;
        } else {
            strike(t, seat, hunter, instead[pick(t, there)]);
            return;
        }
    }
    int poison = (a->traits & BIT(POISONOUS)) != 0;
    die_out(t, prey);
    gain(t, seat, hunter, 2, 0);
    h->poisoned |= poison;
    for (int i = 0; i < PLAYERS; i++) {
        const Player *guest = &t->players[(seat + i) % PLAYERS];
        u8 eaters[CARDS];
        int n = 0;
        if (!guest->bearers[SCAVENGER]) continue;
        for (int k = 0; k < guest->animals; k++) {
            const Animal *eater = &t->animals[guest->line[k]];
            if (eater->traits & BIT(SCAVENGER) && can_gain(t, eater)) eaters[n++] = guest->line[k];
        }
        if (!n) continue;
        gain(t, seat, eaters[pick(t, n)], 1, 0);
        return;
    }
}

/* ---- a turn of feeding */

/* One meal, attack or use of fat, and other traits before and after it. 0 if the player passed. */
static int feed(Table *t, int seat) {
    Player *p = &t->players[seat];
    Option options[CARDS * (2 * CARDS + 4)];
    int acted = 0;
    for (int main = 0;; acted = 1) {
        int n = 1;
        options[0].act = PASS;
        for (int i = 0; i < p->animals; i++) {
            u8 id = p->line[i];
            const Animal *a = &t->animals[id];
            u32 traits = a->traits;
            int hungry = can_gain(t, a);
            if (!main) {
                if (hungry && t->base) options[n++] = (Option){TAKE, id, 0};
                if (hungry && traits & BIT(CARNIVORE) && !a->hunted)
                    for (int owner = 0; owner < PLAYERS; owner++)
                        for (int k = 0; k < t->players[owner].animals; k++)
                            if (can_strike(t, a, &t->animals[t->players[owner].line[k]]))
                                options[n++] = (Option){HUNT, id, t->players[owner].line[k]};
                if (a->stored && !fed(t, a))
                    for (int k = 1; k <= a->stored && k <= lack(a); k++) options[n++] = (Option){BURN, id, (u8)k};
            }
            if (!(traits & (BIT(GRAZING) | BIT(HIBERNATION) | BIT(PIRACY)))) continue;
            if (traits & BIT(GRAZING) && t->base && !a->trampled) options[n++] = (Option){TRAMPLE, id, 0};
            if (traits & BIT(HIBERNATION) && t->round != t->last_round && a->slept < t->round - 1 && !fed(t, a))
                options[n++] = (Option){SLEEP, id, 0};
            if (traits & BIT(PIRACY) && hungry && !a->robbed)
                for (int owner = 0; owner < PLAYERS; owner++)
                    for (int k = 0; k < t->players[owner].animals; k++) {
                        const Animal *victim = &t->animals[t->players[owner].line[k]];
                        if (victim != a && victim->red + victim->blue && !fed(t, victim))
                            options[n++] = (Option){ROB, id, t->players[owner].line[k]};
                    }
        }
        Option o = options[pick(t, n)];
        Animal *a = &t->animals[o.animal];
        if (o.act == PASS) break;
        main |= o.act <= BURN;
        if (o.act == TAKE) take(t, seat, o.animal);
        else if (o.act == HUNT) a->hunted = 1, t->attacks++, strike(t, seat, o.animal, o.other);
        else if (o.act == BURN) burn_fat(t, a, o.other);
        else if (o.act == TRAMPLE) a->trampled = 1, t->base--;
        else if (o.act == SLEEP) a->slept = t->round;
        else rob(t, seat, o.animal, &t->animals[o.other]);
    }
    while (t->in_use) t->cards[t->used[--t->in_use]].used = 0;
    if (p->bearers[GRAZING])
        for (int i = 0; i < p->animals; i++) t->animals[p->line[i]].trampled = 0;
    return acted;
}

/* ---- the flow */

/* Turns in the order of seats; whoever passes is out. */
static void turns(Table *t, int first, int (*turn)(Table *t, int seat)) {
    int left[PLAYERS], n = PLAYERS;
    for (int i = 0; i < PLAYERS; i++) left[i] = (first + i) % PLAYERS;
    while (n) {
        int still = 0;
        for (int i = 0; i < n; i++) {
            int seat = left[i];
            if (turn(t, seat)) left[still++] = seat;
        }
        n = still;
    }
}

/* The unfed and the poisoned die; food goes. */
static void settle(Table *t, int first) {
    u8 doomed[CARDS];
    int n = 0;
    for (int i = 0; i < PLAYERS; i++) {
        const Player *p = &t->players[(first + i) % PLAYERS];
        for (int k = 0; k < p->animals; k++) {
            const Animal *a = &t->animals[p->line[k]];
            if (a->poisoned || !fed(t, a)) doomed[n++] = p->line[k];
        }
    }
    for (int i = 0; i < n; i++) die_out(t, doomed[i]);
    for (int i = 0; i < PLAYERS; i++)
        for (int k = 0; k < t->players[i].animals; k++) {
            Animal *a = &t->animals[t->players[i].line[k]];
            a->red = a->blue = a->hunted = a->robbed = 0;
        }
}

/* New cards, one by one, round and round. */
static void deal(Table *t, int first) {
    int due[PLAYERS], open = 1;
    for (int i = 0; i < PLAYERS; i++) {
        const Player *p = &t->players[i];
        due[i] = p->animals || p->cards ? 1 + p->animals : FULL_HAND;
    }
    while (open && t->in_deck) {
        open = 0;
        for (int i = 0; i < PLAYERS && t->in_deck; i++) {
            int seat = (first + i) % PLAYERS;
            if (due[seat]) draw(t, seat), open |= --due[seat];
        }
    }
    if (!t->in_deck) t->last_round = t->round + 1;
}

/* One game from the first deal to the last turn. Answers its rounds. */
static int play(Table *t, int first) {
    for (int i = 0; i < PLAYERS; i++)
        for (int k = 0; k < FULL_HAND; k++) draw(t, (first + i) % PLAYERS);
    for (;; first = (first + 1) % PLAYERS) {
        t->round++;
        turns(t, first, play_card);
        t->base = DICE_PLUS;
        for (int i = 0; i < DICE; i++) t->base += die(t);
        turns(t, first, feed);
        t->base = 0;
        settle(t, first);
        if (t->round == t->last_round) return t->round;
        deal(t, first);
    }
}

static int score(const Table *t, int seat) {
    const Player *p = &t->players[seat];
    int points = 0;
    for (int i = 0; i < p->animals; i++) /* an animal needs one food without cards */
        points += 1 + t->animals[p->line[i]].need + t->animals[p->line[i]].cards;
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
        p->animals = p->looks = p->cards = p->discards = 0;
        for (int i = 0; i < LOOKS; i++) p->copies[i] = 0;
        for (int i = 0; i < FACES; i++) p->bearers[i] = 0;
    }
    t->in_deck = t->made = t->in_use = t->waits = t->open = t->base = t->round = t->last_round = 0;
    t->attacks = 0;
    for (int i = 0; i < CARDS; i++) {
        int look = i / 4 < LOOKS ? i / 4 : LOOKS - 1, place = below(t, ++t->in_deck);
        t->deck[i] = t->deck[place], t->deck[place] = (u8)look;
    }
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
        for (int seat = 0; seat < PLAYERS; seat++) totals[3 + seat] += score(&t, seat);
    }
    totals[1] = t.forced;
    return totals[0] = t.decisions;
}

"""Observations, determinizations and rewards in C: `engine.secrets` and `agents.search.Searcher.rewards`.

What stands between two `@` is put in by `search`. Zones are rows of numbers, in the order of `base.secrets.ZoneRow`.
"""

from __future__ import annotations

TEXT = """\
static i32 WORLD[@SIZE@];
static i64 *TREE, TCAP;
static i64 frames_end(const i32 *S) { i64 frame = S[@FRAME@]; return frame ? frame + SIZES[S[frame]] : @STACK@; }
static i64 hides(const i64 *z, i64 o, i64 seat) {
    if (z[9] == @OWNER@) return !seat || ZONE_PLAYER[z[6] + o] != seat;
    return z[9] != @EVERYONE@;
}
static void zone_row(i64 number, i64 *z) { i64 i; for (i = 0; i < @ZONE@; i++) z[i] = ZONES[number * @ZONE@ + i]; }
static i64 PLACES, PLACE_ZONE[@CARDS@], PLACE_AT[@CARDS@], PLACE_CARD[@CARDS@], PLACE_STAYS[@CARDS@], FREE[@CARDS@];
static void place(const i64 *z, i64 number, i64 o, i64 card, const unsigned char *named) {
    if (PLACES >= @CARDS@) { err(8, 11); return; }
    PLACE_ZONE[PLACES] = number; PLACE_AT[PLACES] = o; PLACE_CARD[PLACES] = card;
    PLACE_STAYS[PLACES++] = z[10] || !GROUPS[card] || named[card];
}
static void hidden(const i32 *S, i64 seat) {
    static unsigned char named[@CARDS@];
    i64 i, k, number, o, card, z[@ZONE@], end = frames_end(S);
    for (i = 0; i < @CARDS@; i++) named[i] = 0;
    for (i = @STACK@; i < end; i++) if (S[i] > 0 && S[i] < @CARDS@) named[S[i]] = 1;
    for (i = 0; i < @REFERENCES@; i++)
        for (k = 0; k < REFERENCES[2 * i + 1]; k++) {
            card = S[REFERENCES[2 * i] + k];
            if (card > 0 && card < @CARDS@) named[card] = 1;
        }
    PLACES = 0;
    for (number = 0; number < @ZONES@; number++) {
        zone_row(number, z);
        if (z[9] == @BOX@) continue;
        for (o = z[7]; o <= z[8]; o++) {
            if (!hides(z, o, seat)) continue;
            if (z[0]) for (i = 1; i <= S[z[1] + o * z[2]]; i++) place(z, number, o, S[z[1] + o * z[2] + i], named);
            else for (card = S[z[3] + o]; card; card = S[@NEXT@ + card]) place(z, number, o, card, named);
        }
    }
}
static void determinise(i32 *S, i64 seat, i32 *x, i32 *c) {
    i64 g, i, k, n, at, start, before, card, o, number, z[@ZONE@];
    hidden(S, seat);
    for (g = 1; g <= @GROUPS@; g++) {
        for (n = 0, i = 0; i < PLACES; i++) if (!PLACE_STAYS[i] && GROUPS[PLACE_CARD[i]] == g) FREE[n++] = i;
        for (i = n - 1; i > 0; i--) {
            k = draw(x, c, i + 1);
            card = PLACE_CARD[FREE[i]]; PLACE_CARD[FREE[i]] = PLACE_CARD[FREE[k]]; PLACE_CARD[FREE[k]] = card;
        }
    }
    for (at = 0; at < PLACES;) {
        number = PLACE_ZONE[at]; o = PLACE_AT[at]; start = at; before = 0;
        zone_row(number, z);
        for (; at < PLACES && PLACE_ZONE[at] == number && PLACE_AT[at] == o; at++) {
            card = PLACE_CARD[at];
            S[@WHERE@ + card] = (i32)(z[6] + o);
            if (z[0]) { S[z[1] + o * z[2] + 1 + at - start] = (i32)card; S[@PREV@ + card] = S[@NEXT@ + card] = 0; }
            else {
                S[before ? @NEXT@ + before : z[3] + o] = (i32)card;
                S[@PREV@ + card] = (i32)before; S[@NEXT@ + card] = 0; S[z[4] + o] = (i32)card;
            }
            before = card;
        }
    }
    S[@RNG_X@] = (i32)draw(x, c, 1 << 30); S[@RNG_C@] = 1 + (i32)draw(x, c, 1 << 29);
    S[@POLICY_X@] = (i32)draw(x, c, 1 << 30); S[@POLICY_C@] = 1 + (i32)draw(x, c, 1 << 29);
}
static i64 knows(const i32 *S, i64 seen, i64 whose, i64 each, i64 handle, i64 seat) {
    if (seen != @OWNER@ || !seat) return 0;
    if (whose == @PLAYER@) return handle == seat;
    if (whose == @THING@) return (handle - 1) / each + 1 == seat;
    return whose == @CARD@ && ZONE_PLAYER[S[@WHERE@ + handle]] == seat;
}
static void observe(i32 *S, i64 seat) {
    i64 i, k, h, number, o, card, n, z[@ZONE@];
    for (i = 0; i < @SECRETS@; i++) {
        i64 base = SECRETS[6 * i], width = SECRETS[6 * i + 1], whose = SECRETS[6 * i + 4];
        for (h = whose ? 1 : 0; h <= SECRETS[6 * i + 2]; h++)
            if (!knows(S, SECRETS[6 * i + 3], whose, SECRETS[6 * i + 5], h, seat))
                for (k = 0; k < width; k++) S[base + h * width + k] = 0;
    }
    for (i = 0; i < @TRAITS@; i++)
        if (!seat || ZONE_PLAYER[S[@WHERE@ + TRAIT_WORDS[2 * i + 1]]] != seat) S[TRAIT_WORDS[2 * i]] = 0;
    for (number = 0; number < @ZONES@; number++) {
        zone_row(number, z);
        for (o = z[7]; o <= z[8]; o++) {
            if (!hides(z, o, seat)) continue;
            if (z[0]) {
                n = S[z[1] + o * z[2]];
                for (i = 1; i <= n; i++) {
                    card = S[z[1] + o * z[2] + i]; S[z[1] + o * z[2] + i] = 0;
                    @BLANK@
                }
            } else {
                i64 following;
                for (card = S[z[3] + o]; card; card = following) { following = S[@NEXT@ + card]; @BLANK@ }
                S[z[3] + o] = S[z[4] + o] = 0;
            }
        }
    }
    S[@RNG_X@] = S[@RNG_C@] = S[@POLICY_X@] = S[@POLICY_C@] = 0;
    fill(S + @STACK@, @SIZE@ - @STACK@, 0);
}
/* By seat, what the end of a game is worth to it: its share of the win, and by how much it leads. */
static void rewards(const i32 *S, i64 *reward) {
    i64 teams = 0, t, u, part, seat, best = 0, shares, rank[@PLAYERS@ + 1][@PARTS@];
    for (seat = 1; seat <= @PLAYERS@; seat++) if (TEAM[seat] > teams) teams = TEAM[seat];
    for (t = 1; t <= teams; t++)
        for (part = 0; part < @PARTS@; part++) {
            rank[t][part] = 0;
            for (seat = 1; seat <= @PLAYERS@; seat++) if (TEAM[seat] == t) rank[t][part] += rank_part(S, part, seat);
        }
    for (shares = 0, t = 1; t <= teams; t++) {
        for (part = 0; best && part < @PARTS@ && rank[t][part] == rank[best][part]; part++);
        if (!best || (part < @PARTS@ && rank[t][part] > rank[best][part])) { best = t; shares = 1; }
        else if (part == @PARTS@) shares++;
    }
    for (seat = 1; seat <= @PLAYERS@; seat++) {
        i64 other = 0, lead, any = 0;
        t = TEAM[seat];
        for (u = 1; u <= teams; u++) if (u != t && (!any || rank[u][0] > other)) { other = rank[u][0]; any = 1; }
        lead = most(-@MARGIN@, least(@MARGIN@, rank[t][0] - other));
        for (part = 0; part < @PARTS@ && rank[t][part] == rank[best][part]; part++);
        reward[seat] = lead + (part == @PARTS@ ? @WIN@ / shares : 0);
    }
}
"""

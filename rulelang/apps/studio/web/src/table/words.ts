// The page's own words. What stands on the table comes from the server in the language that is asked for.
const WORDS = {
  en: {
    you: "you", log: "Log", undo: "Undo", back: "Back", seats: "Seats", speed: "Bots move after", turn: "Time per move",
    nolimit: "no limit", atonce: "immediately", seconds: "s", invite: "Invitation", watch: "For spectators", copy: "Copy",
    copied: "Copied", away_bot: "{name} is away: until they are back, a bot makes each of their moves after {n} s.", lost: "Connection lost; reconnecting ...", over: "Game over", won: "wins",
    points: "points", sit: "Take a seat", name: "Your name", open: "open", bot: "bot", away: "away", here: "here",
    watching: "watching", wait: "The game starts when all seats are taken.", fill: "Let a bot play here",
    pick: "Pick a highlighted item, or choose:", why: "Why not?", can: "You can pick this now.",
    nothing: "You can't do anything with this now.", help: "Keys", details: "Details", cards: "cards", card: "card",
    empty: "nothing", close: "Close", language: "Language", table: "Table", all: "all", board: "Board", free: "Reopen seat",
    keys: "Arrows: move around the table · Enter: pick · Tab: next highlighted item · Esc: undo a pick · 1–9: take an option · U: undo · W: why not · L: log",
    tap: "Point at something, or tap it, to see what it is, or why you can't use it. Tapping a highlighted item picks it.",
    send: "Send this link to the player who should take this seat:",
    begin: "Start a game", game: "Game", players: "Players", start: "Start", tables: "Open tables",
    nokey: "Open the address shown in the terminal: it includes the key.", nothinghere: "Nothing to edit here", tablesonly: "This server only hosts tables.",
    noanswer: "The server is not responding.", keptmeanwhile: "The server is not responding. This browser keeps what you write.",
    none: "None yet.", colours: "Colors", system: "same as system", light: "light", dark: "dark", round: "round", joined: "The east and west edges are joined: a faded space at one edge is the same space as the one at the opposite edge.", goin: "Go to the table", gone: "Close the table", sitby: "seat", yourturn: "Your turn",
    waits: "waiting", answered: "You have chosen. Other players are still choosing.", rest: "left", settings: "Table", lastly: "Recently", lobby: "Tables", workshop: "Workshop",
    line: "line", lines: "lines",
    open_to: "open: for anyone you invite", only_here: "Only this computer can open this link. To let others join, start the server with --address 0.0.0.0.", bot_random: "plays at random", bot_first: "always takes the first option", bot_greedy: "takes what scores most now", bot_mc: "simulates the outcome of each move", bot_ismcts: "thinks ahead (the strongest)",
  },
  zh: {
    you: "你", log: "記錄", undo: "收回", back: "返回", seats: "座位", speed: "電腦等待", turn: "每步時限",
    nolimit: "不限", atonce: "立即", seconds: "秒", invite: "邀請連結", watch: "旁觀連結", copy: "複製",
    copied: "已複製", away_bot: "{name}離開了：回來以前，每一步過 {n} 秒由電腦代玩。", lost: "連線中斷，正在重試……", over: "遊戲結束", won: "獲勝",
    points: "分", sit: "入座", name: "你的名字", open: "空位", bot: "電腦", away: "離開", here: "在座",
    watching: "旁觀", wait: "座位坐滿後遊戲開始。", fill: "讓電腦來玩",
    pick: "選擇亮起之物，或以下之一：", why: "為何不行？", can: "現在可以選它。",
    nothing: "現在對它沒有可做的事。", help: "按鍵", details: "說明", cards: "張牌", card: "張牌",
    empty: "無", close: "關閉", language: "語言", table: "桌面", all: "全部", board: "版圖", free: "重新空出",
    keys: "方向鍵：在桌面移動 · Enter：選擇 · Tab：下一個亮起之物 · Esc：取消選擇 · 1–9：選項 · U：收回 · W：為何不行 · L：記錄",
    tap: "點一下任何東西，看它是什麼，或為何不能動它。亮起之物一點即選。",
    send: "把這個連結傳給要入座的人：",
    begin: "開始遊戲", game: "遊戲", players: "玩家", start: "開始", tables: "已開的桌",
    nokey: "請打開終端機顯示的網址，其中含有金鑰。", nothinghere: "這裡沒有可編寫的內容", tablesonly: "此伺服器只有牌桌。",
    noanswer: "伺服器沒有回應。", keptmeanwhile: "伺服器沒有回應。你寫的內容已保留在此瀏覽器中。",
    none: "還沒有。", colours: "色彩", system: "依系統", light: "亮", dark: "暗", round: "第幾輪", joined: "東西兩邊相連：一邊淡出之格即在另一邊。", goin: "前往此桌", gone: "關閉此桌", sitby: "座位", yourturn: "輪到你",
    waits: "等待中", answered: "你已選好，其他人還在選擇。", rest: "剩餘", settings: "桌子", lastly: "最近", lobby: "牌桌", workshop: "工坊",
    line: "行", lines: "行",
    open_to: "空位：留給你邀請的人", only_here: "只有這台電腦能開啟這個連結。要讓別人加入，請以 --address 0.0.0.0 啟動伺服器。", bot_random: "隨機出手", bot_first: "總選第一項", bot_greedy: "選眼前得分最多的", bot_mc: "先試算結果", bot_ismcts: "會往後推算，最強",
  },
  ja: {
    you: "あなた", log: "記録", undo: "取り消す", back: "戻る", seats: "席", speed: "ボットの待ち時間", turn: "一手の持ち時間",
    nolimit: "無制限", atonce: "すぐ", seconds: "秒", invite: "招待リンク", watch: "観戦リンク", copy: "コピー",
    copied: "コピーしました", away_bot: "{name}さんは離席中です。戻るまで、手番ごとに{n}秒たつとボットが代わりに遊びます。", lost: "接続が切れました。再接続しています……", over: "ゲーム終了", won: "の勝ち",
    points: "点", sit: "着席する", name: "あなたの名前", open: "空席", bot: "ボット", away: "離席", here: "在席",
    watching: "観戦", wait: "全員が着席するとゲームが始まります。", fill: "ボットに任せる",
    pick: "光っているものか、次のいずれかを選んでください：", why: "なぜできない？", can: "今これを選べます。",
    nothing: "今これにできることはありません。", help: "キー", details: "説明", cards: "枚", card: "枚",
    empty: "なし", close: "閉じる", language: "言語", table: "卓", all: "すべて", board: "盤", free: "空席に戻す",
    keys: "矢印：卓上を移動 · Enter：選ぶ · Tab：次の光るものへ · Esc：選択を戻す · 1–9：選択肢 · U：取り消す · W：なぜできない · L：記録",
    tap: "触れると、それが何か、なぜ何もできないかが分かります。光っているものはすぐ選ばれます。",
    send: "着席してほしい人にこのリンクを送ってください：",
    begin: "ゲームを始める", game: "ゲーム", players: "プレイヤー", start: "開始", tables: "開いている卓",
    nokey: "端末に表示されたアドレスを開いてください。鍵が含まれています。", nothinghere: "ここには書くものがありません", tablesonly: "このサーバーには卓だけがあります。",
    noanswer: "サーバーが応答しません。", keptmeanwhile: "サーバーが応答しません。書いた内容はこのブラウザに保存されています。",
    none: "まだありません。", colours: "配色", system: "システムに合わせる", light: "明", dark: "暗", round: "ラウンド", joined: "東と西はつながっています。端に薄く見えるマスは反対側にあります。", goin: "卓へ", gone: "卓を閉じる", sitby: "席", yourturn: "あなたの番",
    waits: "待機中", answered: "選び終えました。ほかの人が選んでいます。", rest: "残り", settings: "卓", lastly: "最近", lobby: "卓の一覧", workshop: "工房",
    line: "行", lines: "行",
    open_to: "空席：招待した人", only_here: "このリンクはこのコンピューターでしか開けません。ほかの人のためには --address 0.0.0.0 を付けてサーバーを起動してください。", bot_random: "でたらめに選ぶ", bot_first: "いつも最初の選択肢", bot_greedy: "今いちばん得なものを選ぶ", bot_mc: "試しに遊んで選ぶ", bot_ismcts: "先を読む。最も強い",
  },
} as const;

export type Word = keyof (typeof WORDS)["en"];
export type Say = (word: Word) => string;

/** For each language one function, the same each time: what has not changed is not drawn anew. */
const SAYINGS = new Map(Object.entries(WORDS).map(([lang, known]): [string, Say] => [lang, (word) => known[word]]));

export function saying(lang: string): Say {
  return SAYINGS.get(lang.split("-")[0] ?? "en") ?? (SAYINGS.get("en") as Say);
}

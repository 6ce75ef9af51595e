/**
 * Function words of the languages of listings and searches, after the public lists of the Snowball stemmers. Each was
 * checked against the names and tags of the directory: words that name something are left out, such as `no`
 * ("no code"), `os`, `ci`, `ai`, `us`, `dos`, and the letters `c`, `r` and `x`.
 */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  english: `
    a about after again all also although always am an and another any anyone anything are around as at be because
    been before being between both but by can cannot could do does doing done don doesn each either else every few for
    from had has have having he her hers him his how however i if in into is isn it its itself just least let lets ll
    many me might more most much must my myself nor not of often on once one ones only onto or other others ought our
    ours over own per quite rather s same shall she should since so some somehow someone something soon still such t
    than that the their theirs there them then these they thing this those though through to too toward towards until
    up upon ve very via was we were what whatever when where whether which while who whom whose why will with within
    without would yet you your yours yourself`,
  german: `
    aber alle allem allen aller alles als am auch auf aus bei beim bin bis bist da damit dann das dass daß dein deine
    dem den denn der des die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er
    es etwas euch für gegen gibt hab habe haben hat hatte hier ich ihr ihre ihrem ihren ihrer im ins ist jede jedem
    jeden jeder jedes kann kein keine können mehr mein meine meinem meinen meiner mich mir mit möchte muss müssen nach
    nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind soll sollen über um und uns unser
    unsere unter vom von vor warum was wegen weil welche welcher welches wenn wer werden wie wieder will wir wird wo
    wollen würde zu zum zur zwischen`,
  spanish: `
    al algo algún alguna algunas algunos ante antes aquel como cómo con contra cual cuál cualquier cuando cuándo de
    del desde donde dónde durante e el él ella ellas ellos en entre era esas ese eso esos esta está estas este esto
    estos están hacia han hasta hay la las le les lo los más me mi mis mí muy ni nos nuestra nuestro o otra otras otro
    otros para pero por porque puede pueden puedo que qué quien quién se según ser si sin sobre son su sus también
    tener tengo tiene toda todas tu tus un una unas unos y ya yo`,
  french: `
    au aux avec avoir ce cela ces cet cette chez comme dans depuis des dont du elle elles entre est et être eux fait
    faire il ils j je l leur leurs lui ma mais mes moi mon n ne nos notre où ou par pas pendant peut peux plusieurs
    pour pourquoi qu quand quel quelle quelles quels qui quoi sa sans ses soit sont sous suis sur ta toi tout toute
    toutes tous un une vers votre vos vous à été`,
  portuguese: `
    ao aos aquela aquele as até com da das depois dela dele dessa desse desta deste em eles ela ele essa esse esta foi
    isso isto já mais me mesmo meu meus minha minhas muito na não nas nem nós num numa para pela pelas pelo pelos pode
    posso qual quais quando quem são seu seus só sua suas também tem tenho ter um uma umas uns você vocês`,
  italian: `
    agli alla alle allo anche che chi col come da dal dalla dei degli del della delle dello di dove gli hanno ho il lo
    loro mia miei mio nei nel nella nelle nello non per più può quale quali quando quella quello questa queste questi
    questo sono sua suo sul sulla sulle tra tutto una vorrei`,
  dutch: `
    alle bij dan deze die dit een hebben heeft het hoe ik is jij kan maar mij mijn naar niet om ons onze ook op te tot
    uit van veel voor waar wat welke wij willen worden wordt zijn`,
  turkish: 'bana ben bir bu çok da daha de gibi hangi ile için ne nasıl olan olarak ve veya',
  russian: `
    а без бы был была были быть в вам вас во вот все всё вы где для до его ее её если есть еще ещё за и из или им их к
    как какая какие какой ко когда кто ли мне мой моя мое моё мои мы на над надо нам нас не него нет но нужен нужна
    нужно о об он она они оно от по под при про с свой со так также то тоже только у уже что чтобы чтоб эта эти это
    этот я`,
  chinese: `
    的 了 和 与 及 或 在 是 有 我 你 您 他 她 它 们 这 那 个 吗 呢 吧 把 被 给 对 为 于 从 到 向 让 用 请 想 要 能 会 也 都 就 还 又 很 之 并 等 着 哪 么 什么 怎么 怎样 如何 哪些
    哪个 那个 这个 这些 那些 一个 一些 一种 一款 有没 没有 可以 能够 我的 我们 你的 他们 它们 是否 为了 对于 关于 以及 或者 并且 而且 通过 用于 用来 一下`,
  japanese: `
    の を に は が と で へ も や か ね よ な だ て た する した して しま です ます ませ せん から まで など こと もの ため よう とき には では での への との とは にも でも より ある あり
    いる なる なり れる られ せる この その あの どの これ それ どれ ここ いい よい どう たい たく さい くだ ださ けど だけ まし てい いて ても ない なく べき がで でき きる めの たち って いう
    につ つい`,
  korean: `
    을 를 이 가 은 는 에 의 로 와 과 도 만 에서 으로 에게 까지 부터 하고 하는 하기 위한 위해 있는 있다 에는 에도 이나 그리 리고 또는 어떻 떻게 무엇 어떤 나의 내가 해줘 해주 주세 세요`,
};

/** Words that express a request but not its subject, and words that fit every entry of a directory of tools. */
const REQUEST_WORDS = `
  able allow allows amazing best better can could does easily easy enable enables find finding
  get gets getting give gives good great help helpful helping helps im ideal kind like look looking looks need needed needs new nice
  please popular possible prefer recommend recommended stuff thank thanks tool tools top try trying
  use used useful uses using want wanted wants way ways well wish
  beste besten bester bestes bitte brauche braucht finde finden gute guten guter gutes gut helfen hilf hilfe suche
  werkzeug werkzeuge
  ayuda ayudar buena bueno buenos busco favor encontrar herramienta herramientas mejor mejores necesito quiero usar
  aide besoin bon bonne cherche meilleur meilleure meilleurs outil outils trouver utiliser veux voudrais
  ajuda ajudar encontrar ferramenta ferramentas melhor melhores preciso procuro quero
  aiuto cerco migliore migliori strumento strumenti trovare
  найди найти нужен помоги помочь лучший лучшие лучшая хочу инструмент инструменты пожалуйста
  帮我 帮忙 请问 请帮 需要 我要 我想 想要 最好 好的 好用 寻找 找到 推荐 工具 使用 有什 哪里
  探す 探し して ほし 欲し しい しく 使う 使い 使え 教え えて 方法 便利 おす すす すめ 最高
  도구 추천 찾기 찾아 필요 좋은 최고`;

/**
 * Matches a bigram of a Han character and a particle: の, を, に, は, が, と, で, へ, も or 的 on either side, 吗 or 呢 only after
 * it. Texts without spaces are split into bigrams. Such a bigram adds nothing, because the bigram of the character with its other
 * neighbour is searched, too.
 */
const PARTICLE_PAIR = /^(?:[のをにはがとでへも的]\p{Script=Han}|\p{Script=Han}[のをにはがとでへも的吗呢])$/u;

/** Words that a search ignores, because they fit everything or only announce a request. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [...Object.values(FUNCTION_WORDS), REQUEST_WORDS]
    .flatMap((words) => words.split(/\s+/))
    .filter((word) => word !== ''),
);

/** Returns true if a search ignores the word, which must come from `queryWords`. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || PARTICLE_PAIR.test(word);
}

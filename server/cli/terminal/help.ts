/** What can be typed beside actions and orders, and what it does. */
const COMMANDS: readonly (readonly [string, string])[] = [
  ["board", "the board"],
  ["look [PLACE]", "the whole board; or a place or unit: ground, values, exits"],
  ["choices", "what can be done, in words"],
  ["orders [UNIT]", "orders that fit; where one can send a unit, and the cost"],
  ["standing", "every condition of victory"],
  ["log [N]", "the last N decisions (default 10)"],
  ["odds [N]", "the possible results of choice N, with chances"],
  ["hint [AGENT]", "what an agent would do"],
  ["why", "what the choices are for"],
  ["words [WORD]", "words of the game, or what one means"],
  ["rule [ID|WORDS]", "the rule of this decision, or another one"],
  ["undo", "take the last choice or order back, up to the last die"],
  ["step on|off", "stop after each decision of the opponent"],
  ["save FILE", "write a replay"],
  ["resign", "give up: you lose"],
  ["quit", "leave the game; kessel play --resume continues it"],
];

export const HELP = [
  "A number or an action's name (or its beginning, if only one fits) plays it.",
  "An order plays several actions: move UNIT to PLACE, buy truck x3, end phase.",
  "finish phase with NAME (or turn, or UNIT) lets an agent decide for you. Also:",
  ...COMMANDS.map(([typed, does]) => `  ${typed.padEnd(16)}${does}`),
].join("\n");

export const HELP = `A number or the name of an action (or its beginning, if only one fits) plays it. Also:
  board        the board                       choices      what can be done, in words
  look         everything on the board         look PLACE   a place or a unit: ground, values, ways on
  orders       orders that fit            orders UNIT  where an order can send a unit, and the cost
  standing     every condition of victory      log [N]      the last N decisions (default 10)
  odds [N]     what choice N can come to       hint [AGENT] what an agent would do
  why          what the choices are for        words [WORD] words of the game, or what one means
  rule [ID|WORDS] the rule at hand, or another undo         take the last choice back, up to the last die
  step on|off  stop after each decision of the opponent
  save FILE    write a replay                  resign       give up: you lose
  quit         leave the game; it is kept, and goes on with kessel play --resume`;

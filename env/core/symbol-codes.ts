/**
 * Symbol identification codes of land units for `Counter.symbol`: what MIL-STD-2525D calls them, by the names that the
 * games use. Both sides get the rectangular frame of friends, as wargames print it.
 */
const ENTITIES = {
  infantry: "121100",
  "armored-infantry": "121102",
  "motorized-infantry": "121104",
  marines: "121103",
  armor: "120500",
  antitank: "120400",
  artillery: "130300",
  "self-propelled-artillery": "130302",
  mortar: "130800",
  "air-defence": "130100",
  rockets: "130700",
  engineer: "140700",
  "armored-engineer": "140701",
  reconnaissance: "121300",
  "armored-reconnaissance": "121301",
  security: "141700",
  transport: "163600",
  supply: "163400",
  signal: "111000",
  headquarters: "110000",
} as const;
const ECHELONS = {
  none: "00",
  squad: "12",
  section: "13",
  platoon: "14",
  company: "15",
  battalion: "16",
  regiment: "17",
  brigade: "18",
  division: "21",
  corps: "22",
  army: "23",
} as const;

export type UnitEntity = keyof typeof ENTITIES;
export type Echelon = keyof typeof ECHELONS;

/** The 20 digits of a land unit: version 10, reality, friend, land unit, present, then echelon and entity. */
export const unitSymbol = (entity: UnitEntity, echelon: Echelon): string =>
  `10031000${ECHELONS[echelon]}${ENTITIES[entity]}0000`;

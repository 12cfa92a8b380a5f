export class Resampler{constructor(_r:unknown){} resample(..._a:unknown[]){return true;} }

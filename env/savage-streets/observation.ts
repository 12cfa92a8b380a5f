export const observationSpec=(_d:unknown)=>({globals:[],mapRows:[],map:[],unitRows:[],units:[],decision:[]});
export class Observer{constructor(_r:unknown){} observe(..._a:unknown[]){} }

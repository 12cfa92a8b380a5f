export const germanView=(..._a:unknown[]):any=>({}); export const seenBy=(..._a:unknown[]):any=>null;

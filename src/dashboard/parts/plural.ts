/** `1 call`, `1,200 calls`; `many` is the word for several, where it is not the other with an `s`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

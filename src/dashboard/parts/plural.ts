/** `1 call`, `1,200 calls`. `many` is the plural, by default with an `s`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

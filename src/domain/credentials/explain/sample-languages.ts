/** Languages of the sample code. */
export const sampleLanguages = ['typescript', 'python', 'java', 'go', 'php', 'shell'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

import { createTheme, type MantineColorsTuple } from '@mantine/core';

const sea: MantineColorsTuple = [
  '#e8f7f8',
  '#d3ecee',
  '#a6d8dc',
  '#75c3ca',
  '#4eb2ba',
  '#35a7b1',
  '#1c7f8a',
  '#0f6a75',
  '#0a5660',
  '#04414a',
];

const dusk: MantineColorsTuple = [
  '#d3dfe2',
  '#b4c4c8',
  '#8ea3a8',
  '#5f7177',
  '#3a4e54',
  '#2b3f45',
  '#1e3036',
  '#16252a',
  '#111c1f',
  '#0c1416',
];

/** The look of every page of ours: the dashboard, and the playground around the simulated phone. */
export const theme = createTheme({
  colors: { sea, dark: dusk },
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  respectReducedMotion: true,
});

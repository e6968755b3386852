import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { brand } from './brand'

/** Turquoise of the tiles: what acts. */
const firuze: MantineColorsTuple = [
  '#e9f7f5',
  '#cfece8',
  '#a3dad4',
  '#72c6bf',
  '#48b0a8',
  '#239a92',
  '#0f827b',
  '#0b6b66',
  '#0a5754',
  '#084341',
]
/** Stone of the road: text, lines and surfaces. */
const stone: MantineColorsTuple = [
  '#f7f7f4',
  '#efefeb',
  '#e3e3de',
  '#cfcfc8',
  '#a9aaa3',
  '#82837c',
  '#5d5f59',
  '#464843',
  '#2d2f2c',
  '#191b19',
]
/** The same by night, in Mantine's order: text first, page last. */
const night: MantineColorsTuple = [
  '#e7eae8',
  '#c9cfcc',
  '#a3aba7',
  '#7d8682',
  '#4a524f',
  '#343b38',
  '#262c2a',
  '#191e1c',
  '#121615',
  '#0c0f0e',
]
/** Saffron: what nears its limit, and the mark. */
const saffron: MantineColorsTuple = [
  '#fff6e5',
  '#fde9c4',
  '#f9d48d',
  '#f5c05b',
  '#f2b544',
  '#dc9722',
  '#b87812',
  '#93600e',
  '#6f480b',
  '#4d3207',
]
/** Pomegranate: what failed or can not be undone. */
const pomegranate: MantineColorsTuple = [
  '#fdedef',
  '#f8d3d8',
  '#efa6b0',
  '#e57686',
  '#db4d61',
  '#c9354b',
  '#b0253b',
  '#931c30',
  '#731526',
  '#540f1c',
]

/** Theme of both web apps: colours, fonts, sizes. */
export const theme = createTheme({
  colors: { firuze: brand.shades ?? firuze, gray: stone, dark: night, saffron, red: pomegranate },
  primaryColor: 'firuze',
  primaryShade: { light: 7, dark: 6 },
  white: '#ffffff',
  black: '#191b19',
  fontFamily: "Vazirmatn, system-ui, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', 'DejaVu Sans Mono', monospace",
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.35' } } },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

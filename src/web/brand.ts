import type { MantineColorsTuple } from '@mantine/core'

interface Brand {
  /** Ten, from light to dark. */
  readonly shades: MantineColorsTuple | null
  readonly logo: string | null
}

const own: Brand = { shades: null, logo: null }

/** The server writes it into the page; the development server writes nothing. */
function readBrand(): Brand {
  const text = document.querySelector<HTMLMetaElement>('meta[name=brand]')?.content ?? ''
  return text.startsWith('{') ? (JSON.parse(text) as Brand) : own
}

/** Colours and sign of the service, where they are not the built-in ones. */
export const brand = readBrand()

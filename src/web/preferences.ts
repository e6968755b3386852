export type Language = 'fa' | 'en'
type Scheme = 'light' | 'dark' | 'auto'

interface Preferences {
  readonly language: Language
  readonly scheme: Scheme
}

const schemeOf = (word: string | undefined): Scheme =>
  word === 'light' || word === 'dark' ? word : 'auto'

/** Language and colours of this browser: kept in cookies, so that the first byte of the page knows them. */
export function preferences(): Preferences {
  const root = document.documentElement
  if (root.lang === '%lang%') markAsServed(root)
  return {
    language: root.lang === 'en' ? 'en' : 'fa',
    scheme: schemeOf(root.dataset['mantineColorScheme']),
  }
}

const yearSeconds = 31_536_000

/** Keeps a preference in a cookie of the site. */
export function prefer(name: 'lang' | 'scheme', value: string): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the cookie store needs https
  document.cookie = `chapar_${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}

/** Marks that the server writes into the page; the development server writes nothing. */
function markAsServed(root: HTMLElement): void {
  root.lang = document.cookie.includes('chapar_lang=en') ? 'en' : 'fa'
  root.dir = root.lang === 'fa' ? 'rtl' : 'ltr'
  root.dataset['mantineColorScheme'] = schemeOf(
    /chapar_scheme=(light|dark)/.exec(document.cookie)?.[1],
  )
}

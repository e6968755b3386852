import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { IntlProvider } from 'use-intl'
import { Router } from 'wouter'
import arabic from '@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2'
import latin from '@fontsource-variable/vazirmatn/files/vazirmatn-latin-wght-normal.woff2'
import { App } from './app'
import { preferences } from './preferences'
import { queries } from './queries'
import { theme } from './theme'
import './component-styles.css'
import './styles.css'
import './lists.css'
import './money.css'
import './models.css'
import './credit.css'

loadFonts()
const { language, scheme } = preferences()
const texts = language === 'fa' ? (await import('./texts/fa')).fa : (await import('./texts/en')).en
const nonce = document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content ?? ''

// For what locks scrolling behind a dialog.
setNonce(nonce)

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <IntlProvider locale={language} messages={texts}>
      <DirectionProvider
        initialDirection={language === 'fa' ? 'rtl' : 'ltr'}
        detectDirection={false}
      >
        <MantineProvider theme={theme} defaultColorScheme={scheme} getStyleNonce={() => nonce}>
          <QueryClientProvider client={queries}>
            <Router base="/app">
              <App />
            </Router>
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </IntlProvider>
  </StrictMode>,
)

const arabicRange =
  'U+0600-06FF, U+0750-077F, U+0870-088E, U+0890-0891, U+0897-08E1, U+08E3-08FF, U+200C-200E, U+2010-2011, U+204F, U+2E41, U+FB50-FDFF, U+FE70-FE74, U+FE76-FEFC'
const latinRange =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD'

/** Loads the fonts from here, not from a stylesheet: the bundler would put them into it as text. */
function loadFonts(): void {
  for (const [file, unicodeRange] of [
    [arabic, arabicRange],
    [latin, latinRange],
  ] as const) {
    const face = new FontFace('Vazirmatn', `url(${file}) format('woff2')`, {
      unicodeRange,
      weight: '100 900',
      display: 'swap',
    })
    document.fonts.add(face)
  }
}

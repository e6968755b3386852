import './component-styles.css'
import './styles.css'
import './lists.css'
import './money.css'
import './models.css'
import './credit.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { IntlProvider } from 'use-intl'
import { Router } from 'wouter'
import { App } from './app'
import { loadFonts } from './fonts'
import { preferences } from './preferences'
import { queries } from './queries'
import { theme } from './theme'

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

import type { ComponentType, ReactNode } from 'react'
import { IntlProvider, useLocale, useMessages } from 'use-intl'
import { preferences, type Language } from '../preferences'

type Texts = Readonly<Record<string, object>>
type LoadTexts = Readonly<Record<Language, () => Promise<Texts>>>

/**
 * A page with texts of its own, which come with it and not with the first screen.
 * @param load the page
 * @param texts by language
 */
export const withTexts =
  <Props extends object>(
    load: () => Promise<ComponentType<Props>>,
    texts: LoadTexts,
  ): (() => Promise<ComponentType<Props>>) =>
  async () => {
    const [Page, more] = await Promise.all([load(), texts[preferences().language]()])
    return (props) => (
      <MoreTexts more={more}>
        <Page {...props} />
      </MoreTexts>
    )
  }

interface MoreTextsProps {
  readonly more: Texts
  readonly children: ReactNode
}

function MoreTexts({ more, children }: MoreTextsProps) {
  const messages = useMessages()
  return (
    <IntlProvider locale={useLocale()} messages={{ ...messages, ...more } as typeof messages}>
      {children}
    </IntlProvider>
  )
}

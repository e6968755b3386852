import { describe, expect, test } from 'bun:test'
import { visit } from '../support/browser'
import { allLooks, browserSuite, inEachLanguage, lookInAll } from '../support/browser-suite'

const suite = browserSuite()

const pages = [
  ['the small page', '/'],
  ['a page of the guide in both languages', '/docs/errors'],
  ['a page of the guide in English', '/docs/operate'],
  ['the reference', '/docs'],
  ['a search in the guide', '/docs/search?q=API'],
  ['the entrance', '/app'],
] as const

describe.each([...pages])('%s', (_, path) => {
  test(
    'is whole in both languages, schemes and widths',
    inEachLanguage(allLooks, async (looks, language) => {
      const { page, faults, close } = await visit(suite.origin, looks[0] ?? expect.unreachable())
      await page.goto(suite.origin + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const root = page.locator('html')
      expect(await root.getAttribute('lang')).toBe(language)
      expect(await root.getAttribute('dir')).toBe(language === 'fa' ? 'rtl' : 'ltr')
      const picture = path === '/' ? 'landing' : path.slice(1).replaceAll(/\W/g, '-')
      await lookInAll(page, picture, looks)
      expect(faults).toEqual([])
      await close()
    }),
  )
})

import { describe, expect, test } from 'bun:test'
import { visit } from '../support/browser'
import { allLooks, browserSuite, look } from '../support/browser-suite'

const suite = browserSuite()

const pages = [
  ['the small page', '/'],
  ['a page of the guide in both languages', '/docs/errors'],
  ['a page of the guide in English', '/docs/operate'],
  ['the reference', '/docs'],
  ['a search in the guide', '/docs/search?q=API'],
  ['the entrance', '/app'],
] as const

describe.each([...pages])('%s', (name, path) => {
  test.each([...allLooks])(
    'is whole in $language, $scheme, $width',
    async (each) => {
      const { page, faults, close } = await visit(suite.origin, each)
      await page.goto(suite.origin + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const root = page.locator('html')
      expect(await root.getAttribute('lang')).toBe(each.language)
      expect(await root.getAttribute('dir')).toBe(each.language === 'fa' ? 'rtl' : 'ltr')
      await look(page, path === '/' ? 'landing' : path.slice(1).replaceAll(/\W/g, '-'), each)
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )
})

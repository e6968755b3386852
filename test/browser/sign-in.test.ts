import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { printedCode } from '../console/visitor'
import { scrollsSideways, settled, visit } from '../support/browser'
import { browserSuite, codeSent, look, shots } from '../support/browser-suite'
import { drawnOf } from '../support/campaigns'

const suite = browserSuite()

const words = {
  fa: {
    phone: 'شمارهٔ موبایل',
    send: 'ارسال کد',
    code: 'کد را وارد کنید',
    home: 'خانه',
    settings: 'تنظیمات',
    menu: 'فهرست',
    signOut: 'خروج',
    wrongPhone: 'این شمارهٔ موبایل ایران نیست',
    wrongCode: 'کد درست نیست',
    longCode: 'کد ۱۲ رقمی',
    balance: '۰٫۰۰ دلار',
    current: 'همین دستگاه',
  },
  en: {
    phone: 'Mobile number',
    send: 'Send code',
    code: 'Enter the code',
    home: 'Home',
    settings: 'Settings',
    menu: 'Menu',
    signOut: 'Sign out',
    wrongPhone: 'This is not an Iranian mobile number',
    wrongCode: 'The code is wrong',
    longCode: 'Code of 12 digits',
    balance: '$0.00',
    current: 'this device',
  },
} as const

const journeys = [
  { language: 'fa', scheme: 'dark', width: 390, typed: '۰۹۱۲۳۴۵۶۷۸۹' },
  { language: 'en', scheme: 'light', width: 1280, typed: '+98 912 000 0001' },
] as const

/** Refusals that a journey means: browsers log each, without its reason. */
const isMeant = (fault: string): boolean => /status of 400/.test(fault)

/** What came over the wire so far, headers left out, and in how many requests. */
function weigh(page: Page): () => Promise<{ readonly kb: number; readonly requests: number }> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) =>
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
  )
  return async () => {
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return { kb: Math.round(bytes / 1000), requests: sizes.length }
  }
}

describe('signing in', () => {
  test('is light on the wire: the first screen, and home with it', async () => {
    const { page, close } = await visit(suite.origin, journeys[1], { mayBeCached: false })
    const weight = weigh(page)
    await page.goto(`${suite.origin}/app`)
    await page.getByLabel(words.en.phone).waitFor()
    await settled(page)
    const first = await weight()
    await page.getByLabel(words.en.phone).fill('09120000002')
    const send = () => page.getByRole('button', { name: words.en.send }).click()
    await page.keyboard.type(await codeSent(page, suite.serving, send))
    await page.getByRole('heading', { name: words.en.home, level: 1 }).waitFor()
    await settled(page)
    const home = await weight()
    if (shots !== null) writeFileSync(`${shots}/weight.json`, JSON.stringify({ first, home }))
    expect(first.kb).toBeLessThanOrEqual(250)
    expect(home.kb).toBeLessThanOrEqual(420)
    await close()
  })

  test.each(drawnOf(journeys))(
    'by phone and code, and out again: $language, $scheme, $width',
    async (each) => {
      const { page, faults, close } = await visit(suite.origin, each)
      const t = words[each.language]
      await page.goto(`${suite.origin}/app`)

      await page.getByLabel(t.phone).fill('123')
      await page.getByRole('button', { name: t.send }).click()
      await page.getByText(t.wrongPhone).waitFor()
      await look(page, 'sign-in-refused', each)
      await page.getByLabel(t.phone).fill(each.typed)
      const send = () => page.getByRole('button', { name: t.send }).click()
      const code = await codeSent(page, suite.serving, send)
      await page.getByRole('heading', { name: t.code }).waitFor()
      expect(await page.content()).not.toContain(code)
      await look(page, 'code', each)
      await page.keyboard.type(code === '000000' ? '000001' : '000000')
      await page.getByText(t.wrongCode).waitFor()
      await look(page, 'code-refused', each)
      await page.keyboard.type(code)

      await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()
      await page.getByText(t.balance, { exact: true }).waitFor()
      expect(await page.title()).toContain(t.home)
      await look(page, 'home', each)
      await page.reload()
      await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()

      const rail = page.getByRole('navigation', { name: t.menu })
      const open = async () => {
        if (each.width === 390) await page.getByRole('button', { name: t.menu }).click()
      }
      await open()
      if (each.width === 390) await look(page, 'rail', each)
      await rail.getByRole('link', { name: t.settings }).click()
      await page.getByText(t.current).waitFor()
      await look(page, 'settings', each)
      await open()
      await rail.getByRole('button', { name: t.signOut }).click()
      // The page of settings has a field for the phone too.
      await rail.waitFor({ state: 'detached' })
      await page.getByLabel(t.phone).waitFor()
      await page.reload()
      await page.getByLabel(t.phone).waitFor()

      const meant = faults.filter(isMeant)
      expect(meant).toHaveLength(2)
      expect(faults.filter((fault) => !isMeant(fault))).toEqual([])
      await close()
    },
  )

  test.each(drawnOf(journeys))(
    'by the long code that the phone has, where strangers flood it: $language, $scheme, $width',
    async (each) => {
      const t = words[each.language]
      const phone = `0912000${1000 + each.width}`
      const codes: string[] = []
      for (let count = 0; count < 5; count++) codes.push(await askElsewhere(phone))
      expect(codes.map(({ length }) => length)).toEqual([6, 6, 12, 12, 12])
      const { page, faults, close } = await visit(suite.origin, each)
      await page.goto(`${suite.origin}/app`)
      await page.getByLabel(t.phone).fill(phone)
      await page.getByRole('button', { name: t.send }).click()
      const field = page.getByLabel(t.longCode)
      await field.waitFor()
      await look(page, 'long-code', each)
      if (each.width === 390) {
        await page.setViewportSize({ width: 320, height: 640 })
        expect(await scrollsSideways(page)).toBe(false)
        if (shots !== null) await page.screenshot({ path: `${shots}/long-code-320.png` })
      }
      const right = codes.at(-1) ?? ''
      await field.fill(`${right.slice(0, -1)}${(Number(right.at(-1)) + 1) % 10}`)
      await field.press('Enter')
      await page.getByText(t.wrongCode).waitFor()
      await look(page, 'long-code-refused', each)
      await page.getByLabel(t.longCode).fill(right.replace(/(\d{4})(?=\d)/g, '$1 '))
      await page.getByLabel(t.longCode).press('Enter')
      await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()
      expect(faults.filter((fault) => !isMeant(fault))).toEqual([])
      await close()
    },
  )
})

/** Asks for a code in another browser. @returns the code */
async function askElsewhere(phone: string): Promise<string> {
  const { origin, serving } = suite
  const before = serving.logs().length
  await fetch(`${origin}/app/api/sign-in`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ phone }),
  })
  return await printedCode(() => serving.logs().slice(before))
}

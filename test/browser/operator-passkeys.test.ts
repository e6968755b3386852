import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { operatorPassword } from '../console/operator-visitor'
import type { Looks } from '../support/browser'
import { browserSuite, look } from '../support/browser-suite'
import { addDeviceLock } from '../support/device-lock'
import { temporaryFolder } from '../support/executable'
import { givenCookie, openAsOwner, signInOwner, type OwnerIn } from '../support/operator-pages'
import { drawnOf } from '../support/campaigns'

const data = temporaryFolder()
const suite = browserSuite({
  args: ['--data', data, '--sandbox'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})
/** A name, not an address: browsers have no passkeys at addresses. */
const origin = () => suite.origin.replace('127.0.0.1', 'localhost')

let owner: OwnerIn
beforeAll(async () => {
  owner = await signInOwner(origin(), data)
})

const words = {
  fa: {
    add: 'گذرکلید تازه',
    password: 'گذرواژه',
    name: 'نام گذرکلید',
    create: 'ساخت گذرکلید',
    operator: 'نام',
    alone: 'ورود با گذرکلید',
    beside: 'گذرکلید به جای کد',
    overview: 'نمای کلی',
    signOut: 'خروج',
    remove: 'حذف کلید لپ‌تاپ',
    removeIt: 'حذف',
  },
  en: {
    add: 'Add a passkey',
    password: 'Password',
    name: 'Name of the passkey',
    create: 'Create passkey',
    operator: 'Name',
    alone: 'Sign in with a passkey',
    beside: 'Passkey in place of the code',
    overview: 'Overview',
    signOut: 'Sign out',
    remove: 'Remove کلید لپ‌تاپ',
    removeIt: 'Remove',
  },
} as const
const looks: readonly Looks[] = [
  { language: 'fa', scheme: 'dark', width: 1280 },
  { language: 'en', scheme: 'light', width: 1280 },
]

describe('a passkey of an operator', () => {
  test.each(drawnOf(looks))(
    'is made, signs in beside the password and alone, and is removed: $language',
    async (each) => {
      const t = words[each.language]
      const { page, context, faults, close } = await openAsOwner(
        origin(),
        owner,
        '/operator/operators',
        each,
      )
      await addDeviceLock(context, page)
      await page.getByRole('button', { name: t.add }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.name).fill('کلید لپ‌تاپ')
      await dialog.getByRole('textbox', { name: t.password }).fill(operatorPassword)
      await look(page, 'operator-passkey-new', each)
      await dialog.getByRole('button', { name: t.create }).click()
      await page.getByText('کلید لپ‌تاپ').waitFor()
      await look(page, 'operator-passkeys', each)

      // The cookie of the owner is another browser's too: this one's is forgotten, not ended.
      await context.clearCookies()
      await page.goto(`${origin()}/app/operator`)
      await page.getByRole('button', { name: t.alone }).waitFor()
      await look(page, 'operator-sign-in-passkey', each)
      await page.getByLabel(t.operator, { exact: true }).fill('sara')
      await page.getByRole('textbox', { name: t.password }).fill(operatorPassword)
      await page.getByRole('button', { name: t.beside }).click()
      await page.getByRole('heading', { level: 1, name: t.overview }).waitFor()
      await page.getByRole('button', { name: t.signOut }).click()
      await page.getByRole('button', { name: t.alone }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: t.overview }).waitFor()
      expect(
        await page.evaluate(() =>
          fetch('/app/api/operator/sessions').then((reply) => reply.json()),
        ),
      ).toContainEqual(expect.objectContaining({ current: true, way: 'passkey' }))

      await page.goto(`${origin()}/app/operator/operators`)
      await page.getByRole('button', { name: t.remove, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.removeIt, exact: true }).click()
      // It began this very session, which ends with it.
      await page.getByRole('button', { name: t.alone }).waitFor()
      expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
      await close()
    },
  )

  test('is not made without the password', async () => {
    const [, each] = looks
    if (each === undefined) throw new Error('no looks')
    const { page, context, close } = await openAsOwner(origin(), owner, '/operator/operators', each)
    await addDeviceLock(context, page)
    await page.getByRole('button', { name: words.en.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: words.en.password }).fill('another password')
    await dialog.getByRole('button', { name: words.en.create }).click()
    await dialog.getByText('The password is not right.').waitFor()
    await close()
  })

  test('is not offered at a bare address', async () => {
    const [, each] = looks
    if (each === undefined) throw new Error('no looks')
    const cookies = owner.cookies.map(({ name, value }) =>
      givenCookie(`${name}=${value}`, suite.origin),
    )
    const { page, close } = await openAsOwner(
      suite.origin,
      { cookies },
      '/operator/operators',
      each,
    )
    await page.getByText('Passkeys need a secure address').waitFor()
    await close()
  })
})

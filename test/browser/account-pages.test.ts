import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { latinDigits } from '../../src/domain/digits'
import type { Page } from 'playwright-core'
import { visit, type Looks } from '../support/browser'
import { browserSuite, codeSent, look } from '../support/browser-suite'
import { run, temporaryFolder } from '../support/executable'
import { drawnOf } from '../support/campaigns'

const data = temporaryFolder()
const suite = browserSuite({
  args: ['--data', data, '--demo'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})

const words = {
  fa: {
    phone: 'شمارهٔ موبایل',
    send: 'ارسال کد',
    home: 'خانه',
    menu: 'فهرست',
    keys: 'کلیدها',
    usage: 'مصرف',
    requests: 'درخواست‌ها',
    projects: 'پروژه‌ها',
    makeKey: 'ساختن کلید',
    noKeys: 'هنوز کلیدی ندارید',
    noUsage: 'در این بازه درخواستی نبوده است',
    newKey: 'کلید تازه',
    name: 'نام',
    limit: 'سقف خرج',
    moreLimits: 'محدودیت‌های دیگر',
    amountWrong: 'مبلغی به دلار بنویسید',
    create: 'ساخت کلید',
    secret: 'کلید',
    copy: 'کپی',
    copied: 'کپی شد',
    saved: 'نگه داشتم',
    free: 'رایگان است.',
    prompt: 'سلام! در یک جمله خودت را معرفی کن.',
    sendCall: 'بفرست',
    spent: 'هزینه‌اش ۰٫۰۰ دلار شد.',
    statement: 'صورت‌حساب',
    opening: 'موجودی آغاز بازه',
    dayCharges: 'درخواست‌های روز',
    byCall: 'درخواست به درخواست',
    correction: 'اصلاح به دست پشتیبانی',
    range: 'بازه',
    nextMonth: 'ماه بعد',
    chooseLast: 'روز پایان را انتخاب کنید.',
    caps: 'محدودیت‌های حساب',
    daily: 'روز به روز',
    receipt: 'رسید',
    save: 'ذخیره',
    kept: 'ذخیره شد.',
    off: 'خاموش کن',
    on: 'روشن کن',
    revoke: 'باطل کردن',
    typeName: 'برای تأیید، نام کلید را بنویسید',
    revokeNow: 'برای همیشه باطل کن',
    revoked: 'باطل',
    newProject: 'پروژهٔ تازه',
    budget: 'بودجهٔ ماهانه',
    createProject: 'ساخت پروژه',
    find: 'بیاب',
    search: 'جست‌وجو با شناسه',
    notFound: 'درخواستی با این شناسه در این حساب نیست.',
    amount: '۵٫۵',
    shownAmount: '۵٫۵۰ دلار',
  },
  en: {
    phone: 'Mobile number',
    send: 'Send code',
    home: 'Home',
    menu: 'Menu',
    keys: 'Keys',
    usage: 'Usage',
    requests: 'Requests',
    projects: 'Projects',
    makeKey: 'Make a key',
    noKeys: 'You have no key yet',
    noUsage: 'No requests in this range',
    newKey: 'New key',
    name: 'Name',
    limit: 'Spend limit',
    moreLimits: 'More limits',
    amountWrong: 'Type an amount in dollars',
    create: 'Create key',
    secret: 'Key',
    copy: 'Copy',
    copied: 'Copied',
    saved: 'I saved it',
    free: 'It costs nothing.',
    prompt: 'Hello! Introduce yourself in one sentence.',
    sendCall: 'Send',
    spent: 'It cost $0.00.',
    statement: 'Statement',
    opening: 'Opening balance',
    dayCharges: 'Requests of the day',
    byCall: 'By request',
    correction: 'Correction by support',
    range: 'Range',
    nextMonth: 'Next month',
    chooseLast: 'Choose the last day.',
    caps: 'Limits of the account',
    daily: 'Day by day',
    receipt: 'Receipt',
    save: 'Save',
    kept: 'Saved.',
    off: 'Switch off',
    on: 'Switch on',
    revoke: 'Revoke',
    typeName: 'To confirm, type the name of the key',
    revokeNow: 'Revoke for good',
    revoked: 'revoked',
    newProject: 'New project',
    budget: 'Monthly budget',
    createProject: 'Create project',
    find: 'Find',
    search: 'Search by id',
    notFound: 'There is no request with this id in this account.',
    amount: '5.5',
    shownAmount: '$5.50',
  },
} as const

const journeys = [
  { language: 'fa', scheme: 'dark', width: 390, phone: '09123450001' },
  { language: 'en', scheme: 'light', width: 1280, phone: '09123450002' },
] as const

async function signIn(page: Page, { language, phone }: (typeof journeys)[number]): Promise<void> {
  const t = words[language]
  await page.goto(`${suite.origin}/app`)
  await page.getByLabel(t.phone).fill(phone)
  const send = () => page.getByRole('button', { name: t.send }).click()
  await page.keyboard.type(await codeSent(page, suite.serving, send))
  await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()
}

/** Goes by the rail, as people do. */
async function goTo(
  page: Page,
  { language, width }: Looks,
  name: 'keys' | 'usage' | 'requests' | 'statement' | 'projects',
): Promise<void> {
  const t = words[language]
  if (width === 390) await page.getByRole('button', { name: t.menu }).click()
  const rail = page.getByRole('navigation', { name: t.menu })
  await rail.getByRole('link', { name: t[name] }).click()
  await page.getByRole('heading', { name: t[name], level: 1 }).waitFor()
}

/** Three days of last month, by the keys of the calendar alone. */
async function chooseDays(page: Page, looks: Looks): Promise<void> {
  const t = words[looks.language]
  await page.getByRole('button', { name: t.range }).click()
  const grid = page.getByRole('grid')
  await grid.waitFor()
  expect(await page.getByRole('button', { name: t.nextMonth }).isDisabled()).toBe(true)
  await look(page, 'range', looks)
  await grid.locator('[tabindex="0"]').focus()
  await page.keyboard.press('PageUp')
  // Three days that are in one month, whichever day it is.
  const day = Number(latinDigits((await grid.locator('[tabindex="0"]').innerText()).trim()))
  if (day > 26) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText(t.chooseLast).waitFor()
  const forward = looks.language === 'fa' ? 'ArrowLeft' : 'ArrowRight'
  await page.keyboard.press(forward)
  await page.keyboard.press(forward)
  const selected = grid.locator('[aria-selected="true"]')
  // Drawn after the keys, sooner or later.
  await selected.nth(2).waitFor()
  expect(await selected.count()).toBe(3)
  await look(page, 'range-begun', looks)
  await page.keyboard.press('Enter')
  await grid.waitFor({ state: 'hidden' })
}

async function giveCredit(page: Page): Promise<void> {
  const id = await page.evaluate(
    "fetch('/app/api/me').then((it) => it.json()).then((me) => me.account.id)",
  )
  const { code } = await run(['account', 'adjust', String(id), '5', '--reason', 'test'], { data })
  expect(code).toBe(0)
}

async function call(key: string): Promise<string> {
  const answer = await fetch(`${suite.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'hello there' }],
    }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  return answer.headers.get('x-request-id') ?? ''
}

/** What a journey means: browsers log each answer that is no success. */
const isMeant = (fault: string): boolean => /status of 404/.test(fault)

describe('pages of an account', () => {
  test.each(drawnOf(journeys))(
    'make a key, call with it, see where it went, end it: $language, $scheme, $width',
    async (each) => {
      const { page, faults, close } = await visit(suite.origin, each)
      const t = words[each.language]
      await signIn(page, each)
      await giveCredit(page)

      await page.getByRole('link', { name: t.makeKey }).waitFor()
      await look(page, 'home-begun', each)
      await page.getByRole('link', { name: t.makeKey }).click()
      await page.getByText(t.noKeys).waitFor()
      await look(page, 'keys-empty', each)
      await page.getByRole('button', { name: t.newKey }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.name).fill('laptop')
      await dialog.getByLabel(t.limit).fill('abc')
      await dialog.getByText(t.moreLimits).click()
      await dialog.getByRole('button', { name: t.create }).click()
      await dialog.getByText(t.amountWrong).waitFor()
      await look(page, 'key-form', each)
      await dialog.getByLabel(t.limit).fill(t.amount)
      await dialog.getByRole('button', { name: t.create }).click()
      await dialog.getByRole('button', { name: t.saved }).waitFor()
      const secret = (await dialog.getByLabel(t.secret, { exact: true }).textContent()) ?? ''
      expect(secret).toMatch(/^sk-chapar-v1-\w{43}$/)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await dialog.getByRole('button', { name: t.copy }).first().click()
      await dialog.getByRole('button', { name: t.copied }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
      await look(page, 'key-made', each)
      for (const tab of ['Python', 'Node', 'Claude Code', 'Codex', 'Cursor', 'Continue', 'Zed']) {
        await dialog.getByRole('tab', { name: tab }).click()
        await dialog.getByRole('tabpanel').getByText(secret).waitFor()
      }
      await look(page, 'key-samples', each)
      await dialog.getByText(t.free).waitFor()
      await dialog.getByRole('button', { name: t.sendCall, exact: true }).click()
      await dialog.getByText(t.spent).waitFor()
      await dialog.locator('.trial-answer').getByText(t.prompt).waitFor()
      await look(page, 'key-tried', each)
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: t.saved }).click()
      await page.getByRole('link', { name: 'laptop' }).waitFor()

      await goTo(page, each, 'usage')
      await page.getByRole('button', { name: 'sandbox/echo' }).waitFor()
      await chooseDays(page, each)
      await page.getByText(t.noUsage).waitFor()
      await look(page, 'usage-empty', each)
      await page.goBack()
      const request = await call(secret)
      await page.reload()
      await page.getByRole('button', { name: 'sandbox/echo-priced' }).waitFor()
      await page.locator('.recharts-surface').first().waitFor()
      await page.getByText(t.daily).first().click()
      await look(page, 'usage', each)

      await goTo(page, each, 'requests')
      await page.getByRole('link', { name: 'sandbox/echo-priced' }).waitFor()
      await look(page, 'requests', each)
      await page.getByRole('link', { name: 'sandbox/echo-priced' }).click()
      await page.getByRole('heading', { name: t.receipt }).waitFor()
      await page.getByText(request).waitFor()
      await look(page, 'request', each)
      await goTo(page, each, 'requests')
      await page.getByLabel(t.search).fill('req_none')
      await page.getByRole('button', { name: t.find }).click()
      await page.getByText(t.notFound).waitFor()

      await goTo(page, each, 'statement')
      await page.getByText(t.opening).waitFor()
      await page.getByText(t.correction).waitFor()
      await look(page, 'statement', each)
      await page.getByText(t.byCall).click()
      await page.getByRole('link', { name: request }).waitFor()
      await look(page, 'statement-by-call', each)
      await page.emulateMedia({ media: 'print' })
      await look(page, 'statement-printed', each)
      await page.emulateMedia({ media: 'screen' })

      await goTo(page, each, 'keys')
      await page.getByText(t.shownAmount).filter({ visible: true }).waitFor()
      await look(page, 'keys', each)
      await page.getByRole('link', { name: 'laptop' }).click()
      await page.getByRole('textbox', { name: t.name }).fill('desk')
      await page.getByRole('button', { name: t.save }).click()
      await page.getByText(t.kept).waitFor()
      await look(page, 'key', each)
      await page.getByRole('button', { name: t.off }).click()
      await page.getByRole('button', { name: t.on }).waitFor()
      await page.getByRole('button', { name: t.revoke }).click()
      await page.getByLabel(t.typeName).fill('desk')
      await look(page, 'revoke', each)
      await page.getByRole('button', { name: t.revokeNow }).click()
      await page.getByText(t.revoked, { exact: true }).waitFor()

      await goTo(page, each, 'projects')
      await page.getByRole('button', { name: t.newProject }).click()
      await dialog.getByLabel(t.name).fill('shop')
      await dialog.getByLabel(t.budget).fill(t.amount)
      await look(page, 'project-form', each)
      await dialog.getByRole('button', { name: t.createProject }).click()
      await page.getByRole('button', { name: 'shop' }).waitFor()
      await page.getByText(t.shownAmount).waitFor()
      await page.getByRole('heading', { name: t.caps }).waitFor()
      await look(page, 'projects', each)

      expect(faults.filter((fault) => !isMeant(fault))).toEqual([])
      await close()
    },
  )
})

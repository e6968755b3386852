import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { visit, type Looks } from '../support/browser'
import { printedWord } from '../console/visitor'
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
    title: 'افزایش اعتبار',
    noRate: 'نرخ دلار هنوز تعیین نشده است',
    preset: '۱۰۰٬۰۰۰ تومان',
    other: 'مبلغ دلخواه',
    typed: '۴۹٬۹۹۹',
    tooLittle: 'دست‌کم',
    enough: '۵۰٬۰۰۰',
    pay: 'پرداخت ۵۰٬۰۰۰ تومان',
    worth: '۰٫۵۰ دلار به اعتبار افزوده می‌شود.',
    bankPay: 'پرداخت می‌کنم',
    bankLeave: 'انصراف',
    credited: 'اعتبار افزوده شد',
    refused: 'پرداخت انجام نشد',
    again: 'پرداخت دوباره',
    receipt: 'رسید',
    all: 'همهٔ پرداخت‌ها',
    done: 'انجام شد',
    code: 'کد بیست‌رقمی',
    add: 'افزودن',
    wrongCode: 'این کد درست نیست',
    codeAdded: '۱۰٫۰۰ دلار به اعتبار افزوده شد.',
    codeUsed: 'به همین حساب افزوده شده',
    balance: '۱۰٫۵۰ دلار',
    waiting: 'در انتظار',
  },
  en: {
    phone: 'Mobile number',
    send: 'Send code',
    home: 'Home',
    title: 'Add credit',
    noRate: 'The rate of the dollar is not set yet',
    preset: '100,000 toman',
    other: 'Another amount',
    typed: '49,999',
    tooLittle: 'at least',
    enough: '50,000',
    pay: 'Pay 50,000 toman',
    worth: '$0.50 will be added to your credit.',
    bankPay: 'Pay',
    bankLeave: 'Cancel',
    credited: 'Credit added',
    refused: 'Not paid',
    again: 'Pay again',
    receipt: 'Receipt',
    all: 'All payments',
    done: 'done',
    code: 'Code of twenty digits',
    add: 'Add',
    wrongCode: 'This code is not right',
    codeAdded: '$10.00 was added to your credit.',
    codeUsed: 'was added to this account before',
    balance: '$10.50',
    waiting: 'waiting',
  },
} as const

const journeys = [
  { language: 'fa', scheme: 'light', width: 390, phone: '09123460001' },
  { language: 'en', scheme: 'dark', width: 1280, phone: '09123460002' },
] as const

type Visitor = Looks & { readonly phone: string }

/** A page that is refused something says so in its console too. */
const isMeant = (fault: string): boolean => /status of (?:400|403|409)/.test(fault)

async function signIn(page: Page, { language, phone }: Visitor): Promise<void> {
  const t = words[language]
  await page.goto(`${suite.origin}/app`)
  await page.getByLabel(t.phone).fill(phone)
  const send = () => page.getByRole('button', { name: t.send }).click()
  await page.keyboard.type(await codeSent(page, suite.serving, send))
  await page.getByRole('heading', { name: t.home, level: 1 }).waitFor()
}

/** Pays at the test bank with the word that the gateway has printed for this payment. */
async function payAtBank(page: Page, { language }: Looks): Promise<void> {
  await page.getByRole('textbox').fill(printedWord(suite.serving.logs()))
  await page.getByRole('button', { name: words[language].bankPay, exact: true }).click()
}

/** Chooses the smallest amount in the form, by its field. */
async function goToBank(page: Page, looks: Looks): Promise<void> {
  const t = words[looks.language]
  await page.getByLabel(t.other).fill(t.enough)
  await page.getByText(t.worth).waitFor()
  await page.getByRole('button', { name: t.pay }).click()
  await page.getByRole('button', { name: t.bankPay, exact: true }).waitFor()
}

async function setRate(): Promise<void> {
  expect((await run(['rate', 'set', '100000'], { data })).code).toBe(0)
}

async function firstCall(page: Page): Promise<number> {
  const send = async (path: string, body: object): Promise<{ id: number; secret: string }> => {
    const text = await page.evaluate(
      ([to, sent]) =>
        fetch(`/app/api${to}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: sent ?? '',
        }).then((answer) => answer.text()),
      [path, JSON.stringify(body)],
    )
    return JSON.parse(text) as { id: number; secret: string }
  }
  const { id: project } = await send('/projects', { name: 'paid' })
  const { secret } = await send('/keys', { project, name: 'first' })
  const answer = await fetch(`${suite.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'hello there' }],
    }),
  })
  await answer.text()
  return answer.status
}

describe('money in', () => {
  test('a fresh folder comes to a paid and charged call in less than a minute', async () => {
    const began = performance.now()
    const each: Visitor = { ...journeys[0], phone: '09123460000' }
    const { page, faults, close } = await visit(suite.origin, each)
    await signIn(page, each)
    await page.getByRole('main').getByRole('link', { name: words.fa.title }).click()
    await page.getByText(words.fa.noRate).waitFor()
    await look(page, 'credit-closed', each)
    await setRate()
    await page.reload()
    await goToBank(page, each)
    await payAtBank(page, each)
    await page.getByText(words.fa.credited).first().waitFor()
    expect(await firstCall(page)).toBe(200)
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(faults).toEqual([])
    await close()
  })

  test.each(drawnOf(journeys))(
    'is chosen, refused, paid and printed, and a code is redeemed: $language, $scheme, $width',
    async (each) => {
      const { page, faults, close } = await visit(suite.origin, each)
      const t = words[each.language]
      await setRate()
      await signIn(page, each)
      await page.goto(`${suite.origin}/app/credit`)
      await page.getByRole('heading', { name: t.title, level: 1 }).waitFor()
      await page.getByText(t.preset, { exact: true }).click()
      await look(page, 'credit', each)
      await page.getByLabel(t.other).fill(t.typed)
      await page.getByText(t.tooLittle).waitFor()

      await goToBank(page, each)
      await look(page, 'bank', each)
      await page.getByRole('textbox').fill('AAAA-AAAA')
      await page.getByRole('button', { name: t.bankPay, exact: true }).click()
      await page.getByRole('alert').waitFor()
      await look(page, 'bank-refused', each)
      await page.getByRole('button', { name: t.bankLeave }).click()
      await page.getByRole('heading', { name: t.refused }).waitFor()
      await look(page, 'payment-refused', each)
      await page.getByRole('link', { name: t.again }).click()

      await goToBank(page, each)
      await payAtBank(page, each)
      await page.getByText(t.credited).first().waitFor()
      await look(page, 'payment-receipt', each)
      // Whoever comes back twice, or reloads, pays once.
      await page.reload()
      await page.getByRole('heading', { name: t.receipt }).waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      await page.goto(`${suite.origin}/app/return/${id}?Status=NOK`)
      await page.getByRole('heading', { name: t.receipt }).waitFor()
      await page.getByRole('link', { name: t.all }).click()
      await page.getByText(t.done, { exact: true }).waitFor()
      expect(await page.getByText(t.waiting, { exact: true }).count()).toBe(0)

      const made = await run(['code', 'create', '--usd', '10', '--json'], { data })
      const [{ code } = { code: '' }] = made.json<{ data: { code: string }[] }>().data
      await page.getByLabel(t.code).fill('1'.repeat(20))
      await page.getByRole('button', { name: t.add, exact: true }).click()
      await page.getByText(t.wrongCode).waitFor()
      await page.getByLabel(t.code).fill(code)
      await page.keyboard.press('Enter')
      await page.getByText(t.codeAdded).waitFor()
      await look(page, 'credit-paid', each)
      await page.getByLabel(t.code).fill(code)
      await page.keyboard.press('Enter')
      await page.getByText(t.codeUsed).waitFor()
      await page.goto(`${suite.origin}/app`)
      await page.getByText(t.balance).waitFor()
      await look(page, 'home-paid', each)
      expect(faults.filter((fault) => !isMeant(fault))).toEqual([])
      await close()
    },
  )
})

import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { openVisitor, type Visitor } from '../console/visitor'
import { visit, type Looks } from '../support/browser'
import { allLooks, browserSuite, look } from '../support/browser-suite'
import { run, temporaryFolder } from '../support/executable'
import { drawnOf } from '../support/campaigns'

const data = temporaryFolder()
let visitor: Visitor
let session = ''
const suite = browserSuite({
  args: ['--data', data, '--demo'],
  async prepare(serving) {
    visitor = openVisitor(serving)
    await visitor.signIn('09123456789')
    session = visitor.cookie().replace('chapar=', '')
  },
  clean: () => rmSync(data, { recursive: true, force: true }),
})

const command = async (...args: readonly string[]) => {
  const { code, stderr } = await run(args, { data })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}

/** A call that costs something. @returns its status */
async function call(key: string): Promise<number> {
  const response = await fetch(`${suite.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      max_tokens: 8,
      messages: [{ role: 'user', content: 'word '.repeat(20_000) }],
    }),
  })
  await response.arrayBuffer()
  return response.status
}

const open = async (looks: Looks) => {
  const { page, context, faults, close } = await visit(suite.origin, looks)
  await context.addCookies([{ name: 'chapar', value: session, url: suite.origin }])
  return { page, faults, close }
}
const home: Looks = { language: 'fa', scheme: 'light', width: 390 }

test('somebody who reached the ceiling says who they are, is approved by a command, and calls again', async () => {
  const { data: projects } = (await visitor.send('GET', '/projects')).body as {
    data: { id: number }[]
  }
  const made = await visitor.send('POST', '/keys', { project: projects[0]?.id, name: 'laptop' })
  const { secret: key } = made.body as { secret: string }
  await command('topup', '1', '20')
  await command('settings', 'set', 'kyc-ceiling', '0.2')
  let calls = 0
  while ((await call(key)) === 200) expect(++calls).toBeLessThan(50)
  expect(await call(key)).toBe(403)

  const { page, faults, close } = await open(home)
  await page.goto(`${suite.origin}/app`)
  await page.getByText('کم مانده است', { exact: false }).waitFor()
  await look(page, 'home-ceiling', home)
  await page.getByRole('link', { name: 'احراز هویت' }).click()
  await page.getByLabel('نام', { exact: true }).fill('سارا')
  await page.getByLabel('نام خانوادگی').fill('رضایی')
  await page.getByRole('textbox', { name: 'کد ملی' }).fill('۰۰۱۲۳۴۵۶۷۸')
  await page.getByLabel('نام', { exact: true }).focus()
  await page.getByText('این کد ملی درست نیست', { exact: false }).waitFor()
  await look(page, 'verify-slip', home)
  await page.getByRole('textbox', { name: 'کد ملی' }).fill('۰۰۱۲۳۴۵۶۷۹')
  await page.getByLabel('سال', { exact: true }).selectOption('1369')
  await page.getByLabel('ماه', { exact: true }).selectOption('12')
  await page.getByLabel('روز', { exact: true }).selectOption('29')
  await page.getByLabel('می‌پذیرم', { exact: false }).check({ force: true })
  await page.getByRole('button', { name: 'فرستادن' }).click()
  await page.getByText('بررسی می‌شود', { exact: true }).waitFor()
  await look(page, 'verify-waits', home)

  const shown = await run(['verification', 'show', '1', '--json'], { data })
  expect(shown.json<object>()).toMatchObject({
    state: 'submitted',
    first_name: 'سارا',
    // 29 Esfand 1369.
    birth_date: '1991-03-20',
    national_code: '······5679',
  })
  await command('verification', 'reject', '1', '--reason', 'عکس کارت خوانا نیست')
  await page.goto(`${suite.origin}/app/verify`)
  await page.getByText('خوانا نیست', { exact: false }).waitFor()
  await look(page, 'verify-rejected', home)
  expect(await call(key)).toBe(403)
  await command('verification', 'approve', '1')
  expect(await call(key)).toBe(200)

  await page.goto(`${suite.origin}/app/verify`)
  await page.getByText('هویت صاحب حساب تأیید شده است.').waitFor()
  await look(page, 'verify-done', home)
  await page.goto(`${suite.origin}/app/notices`)
  await page.getByText('هویت شما تأیید شد').waitFor()
  await look(page, 'notices-many', home)
  expect(faults).toEqual([])
  await close()
})

test.each(drawnOf(allLooks))(
  'pages of the account look well in $language, $scheme, $width',
  async (each) => {
    const { page, close } = await open(each)
    await page.goto(`${suite.origin}/app/account`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page
      .getByRole('button', { name: each.language === 'fa' ? 'بستن حساب' : 'Close account' })
      .click()
    await page.getByRole('dialog').waitFor()
    await look(page, 'account-closing', each)
    await page.goto(`${suite.origin}/app/notices`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(page, 'notices-some', each)
    await close()
  },
)

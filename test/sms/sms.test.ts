import { describe, expect, test } from 'bun:test'
import type { Phone } from '../../src/domain/phone'
import { runWithInput } from '../../src/gateway/outbound/run-program'
import { post } from '../../src/gateway/outbound/post'
import type { SmsReply, SmsRequest } from '../../src/business/notices/sms/dialect'
import {
  isNotForNotices,
  mayBeSent,
  openSms,
  type SmsWays,
} from '../../src/business/notices/sms/open-sms'
import type { SmsProvider } from '../../src/business/notices/sms/provider'

const phone = '+989123456789' as Phone

const kavenegar: SmsProvider = {
  name: 'main',
  kind: 'kavenegar',
  options: { template: 'chapar' },
  secret: 'KEY/1',
}
const smsIr: SmsProvider = {
  name: 'spare',
  kind: 'sms.ir',
  options: { template: '123456' },
  secret: 'KEY',
}
const twilio: SmsProvider = {
  name: 'abroad',
  kind: 'twilio',
  options: { account: 'AC1', from: '+1500' },
  secret: 'token',
}
const webhook: SmsProvider = {
  name: 'own',
  kind: 'webhook',
  options: { url: 'https://sms.example/x', body: '{"to":"{local}","all":"{phone}","is":"{code}"}' },
  secret: 'Bearer z',
}

/** Providers that answer by a list of replies, and what they were sent. */
function desk(
  providers: readonly SmsProvider[],
  replies: readonly (SmsReply | Error)[],
  ways: Partial<SmsWays> = {},
) {
  const sent: SmsRequest[] = []
  const left = [...replies]
  const sms = openSms({
    store: {
      list: () => Promise.resolve(providers),
      save: () => Promise.resolve(),
      remove: () => Promise.resolve(false),
    },
    ways: {
      post(request) {
        sent.push(request)
        const reply = left.shift()
        return reply === undefined || reply instanceof Error
          ? Promise.reject(reply ?? new Error('nothing left'))
          : Promise.resolve(reply)
      },
      run: () => Promise.reject(new Error('no program')),
      terminal: null,
      ...ways,
    },
    text: (code) => `Chapar: ${code}\n\n@ai.example.ir #${code}`,
  })
  return { sms, sent }
}

const json = (status: number, body: unknown): SmsReply => ({ status, text: JSON.stringify(body) })
const refused = () => Object.assign(new Error('refused'), { code: 'ConnectionRefused' })

const kavenegarTook = json(200, {
  return: { status: 200, message: 'تایید شد' },
  entries: [{ messageid: 8_792_343, status: 5, receptor: '09123456789', cost: 120 }],
})
const smsIrTook = json(200, { status: 1, message: 'موفق', data: { messageId: 1, cost: 1 } })

describe('a provider gets exactly', () => {
  test('Kavenegar’s form', async () => {
    const { sms, sent } = desk([kavenegar], [kavenegarTook])
    expect(await sms.send(phone, '123456')).toEqual({ isPrinted: false })
    expect(sent).toEqual([
      {
        url: 'https://api.kavenegar.com/v1/KEY%2F1/verify/lookup.json',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
        body: 'receptor=09123456789&token=123456&template=chapar',
      },
    ])
  })

  test('SMS.ir’s body', async () => {
    const { sms, sent } = desk([smsIr], [smsIrTook])
    await sms.send(phone, '123456')
    expect(sent[0]?.url).toBe('https://api.sms.ir/v1/send/verify')
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-api-key': 'KEY',
    })
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      mobile: '09123456789',
      templateId: 123_456,
      parameters: [{ name: 'CODE', value: '123456' }],
    })
  })

  test('Twilio’s form', async () => {
    const { sms, sent } = desk([twilio], [json(201, { sid: 'SM1', status: 'queued' })])
    await sms.send(phone, '123456')
    expect(sent[0]?.url).toBe('https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json')
    expect(sent[0]?.headers['authorization']).toBe(`Basic ${btoa('AC1:token')}`)
    expect(sent[0]?.body).toBe(
      'To=%2B989123456789&From=%2B1500&Body=Chapar%3A+123456%0A%0A%40ai.example.ir+%23123456',
    )
  })

  test('the body that a webhook is set up with', async () => {
    const { sms, sent } = desk([webhook], [{ status: 204, text: '' }])
    await sms.send(phone, '123456')
    expect(sent[0]?.url).toBe('https://sms.example/x')
    expect(sent[0]?.headers['authorization']).toBe('Bearer z')
    expect(sent[0]?.body).toBe('{"to":"09123456789","all":"+989123456789","is":"123456"}')
  })
})

describe('a fault of', () => {
  const faults: readonly [string, SmsProvider, SmsReply, string, boolean][] = [
    ['Kavenegar: no credit', kavenegar, json(418, { return: { status: 418 } }), '418', false],
    ['Kavenegar: busy', kavenegar, json(409, { return: { status: 409 } }), '409', true],
    ['Kavenegar: an HTML page', kavenegar, { status: 502, text: '<html>' }, '502', true],
    [
      'Kavenegar: 200 that is none',
      kavenegar,
      json(200, { return: { status: 424 } }),
      '424',
      false,
    ],
    ['SMS.ir: no template', smsIr, json(400, { status: 113 }), '113', false],
    ['SMS.ir: too many', smsIr, json(429, { status: 20 }), '20', true],
    ['Twilio: not a number', twilio, json(400, { code: 21_211 }), '21211', false],
    ['Twilio: down', twilio, { status: 503, text: '' }, '503', true],
    ['a webhook', webhook, { status: 404, text: '' }, '404', false],
  ]
  test.each([...faults])('%s', async (_, provider, reply, code, isPassing) => {
    const { sms } = desk([provider], [reply])
    const thrown: unknown = await sms.send(phone, '123456').catch((error: unknown) => error)
    expect(thrown).toMatchObject({ provider: provider.name, fault: { code, isPassing } })
    expect(String(thrown)).not.toMatch(/KEY|token|123456|912/)
  })
})

describe('the second provider', () => {
  test('is tried where the first has a passing fault, or is not there', async () => {
    for (const first of [json(409, { return: { status: 409 } }), refused()]) {
      const { sms, sent } = desk([kavenegar, smsIr], [first, smsIrTook])
      await sms.send(phone, '123456')
      expect(sent).toHaveLength(2)
    }
  })

  test('is not tried where the first refuses for good', async () => {
    const { sms, sent } = desk([kavenegar, smsIr], [json(418, { return: { status: 418 } })])
    expect(sms.send(phone, '123456')).rejects.toMatchObject({ fault: { code: '418' } })
    expect(sent).toHaveLength(1)
  })

  test('is not tried where the first may have sent it', async () => {
    const { sms, sent } = desk([kavenegar, smsIr], [new DOMException('late', 'TimeoutError')])
    const thrown: unknown = await sms.send(phone, '123456').catch((error: unknown) => error)
    expect(mayBeSent(thrown)).toBe(true)
    expect(sent).toHaveLength(1)
  })
})

describe('without a provider', () => {
  test('codes are printed on the terminal in demo mode', async () => {
    const printed: string[] = []
    const { sms } = desk([], [], {
      terminal: { code: (_, code) => void printed.push(code), notice: () => {} },
    })
    expect(await sms.send(phone, '123456')).toEqual({ isPrinted: true })
    expect(printed).toEqual(['123456'])
  })

  test('nothing is printed or sent outside of demo mode, also by a provider that prints', async () => {
    const printing: SmsProvider = { name: 'log', kind: 'log', options: {}, secret: null }
    for (const providers of [[], [printing]]) {
      const { sms } = desk(providers, [])
      expect(sms.send(phone, '123456')).rejects.toMatchObject({ fault: { code: 'not_in_demo' } })
      expect(sms.notify(phone, 'hello')).rejects.toMatchObject({ fault: { code: 'not_in_demo' } })
    }
  })
})

describe('ways out', () => {
  test('a program gets the message on its standard input, and its exit code counts', async () => {
    const run: SmsWays['run'] = (command, input) =>
      runWithInput(
        { command, environment: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 5000 },
        input,
      )
    const command = (words: string): SmsProvider => ({
      name: 'own',
      kind: 'command',
      options: { command: words },
      secret: null,
    })
    const { sms } = desk([command('grep -q "code":"123456"')], [], { run })
    expect(await sms.send(phone, '123456')).toEqual({ isPrinted: false })
    const { sms: failing } = desk([command('grep -q nothing')], [], { run })
    expect(failing.send(phone, '123456')).rejects.toMatchObject({ fault: { code: 'exit_1' } })
  })

  test('a POST follows no redirect, reads a bounded answer, and says when nobody is there', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) =>
        new URL(request.url).pathname === '/away'
          ? Response.redirect('http://127.0.0.1:1/', 302)
          : new Response('x'.repeat(1_000_000)),
    })
    const at = (path: string) => ({ url: `${server.url.origin}${path}`, headers: {}, body: '' })
    expect((await post(at('/away'), 5000)).status).toBe(302)
    expect((await post(at('/'), 5000)).text.length).toBeLessThan(1_000_000)
    const gone = at('/')
    await server.stop(true)
    const { sms } = desk([{ ...webhook, options: { ...webhook.options, url: gone.url } }], [], {
      post: (request) => post(request, 5000),
    })
    expect(sms.send(phone, '123456')).rejects.toMatchObject({ fault: { code: 'unreachable' } })
  })
})

describe('a notice goes out', () => {
  const text = 'موجودی کم است: "۲" دلار\nشارژ کنید'
  const withLine = (provider: SmsProvider, options: Readonly<Record<string, string>>) => ({
    ...provider,
    options: { ...provider.options, ...options },
  })

  test('by Kavenegar’s send, from the line that is set', async () => {
    const provider = withLine(kavenegar, { sender: '10008663' })
    const { sms, sent } = desk([provider], [kavenegarTook])
    await sms.notify(phone, text)
    expect(sent[0]?.url).toBe('https://api.kavenegar.com/v1/KEY%2F1/sms/send.json')
    expect([...new URLSearchParams(sent[0]?.body)]).toEqual([
      ['receptor', '09123456789'],
      ['sender', '10008663'],
      ['message', text],
    ])
  })

  test('by SMS.ir’s bulk, to one number', async () => {
    const { sms, sent } = desk([withLine(smsIr, { line: '30007732' })], [smsIrTook])
    await sms.notify(phone, text)
    expect(sent[0]?.url).toBe('https://api.sms.ir/v1/send/bulk')
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      lineNumber: 30_007_732,
      messageText: text,
      mobiles: ['09123456789'],
    })
  })

  test('by Twilio’s form, as codes do', async () => {
    const { sms, sent } = desk([twilio], [json(201, { sid: 'SM1' })])
    await sms.notify(phone, text)
    expect(new URLSearchParams(sent[0]?.body).get('Body')).toBe(text)
  })

  test('in the body of a webhook, its quotes and lines as JSON has them', async () => {
    const provider = withLine(webhook, { 'notice-body': '{"to":"{local}","text":"{text}"}' })
    const { sms, sent } = desk([provider], [{ status: 200, text: '' }])
    await sms.notify(phone, text)
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ to: '09123456789', text })
  })

  test('by the next provider where the first is not set up for notices, or says so', async () => {
    const { sms, sent } = desk([kavenegar, twilio], [json(201, { sid: 'SM1' })])
    await sms.notify(phone, text)
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(['api.twilio.com'])
    const none = await desk([kavenegar], []).sms.notify(phone, text).catch(isNotForNotices)
    expect(none).toBe(true)
  })
})

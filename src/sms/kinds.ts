import type { SmsDialect } from './dialect'
import { kavenegar } from './kavenegar'
import type { SmsProvider, SmsProviderKind } from './provider'
import { smsIr } from './sms-ir'
import { twilio } from './twilio'
import { webhook } from './webhook'

/** What a kind of provider asks of the operator. */
export interface SmsKind {
  /** Names of its options, and what each is; a preset makes one optional. */
  readonly options: Readonly<Record<string, { readonly about: string; readonly preset?: string }>>
  readonly secret: 'needed' | 'optional' | 'none'
  /** Null for those that are not asked over HTTP. */
  readonly dialect: ((provider: SmsProvider, text: SmsText) => SmsDialect) | null
}

/** What an SMS says where no template of the provider does. */
export type SmsText = (code: string) => string

const option = ({ kind, options }: SmsProvider, name: string): string =>
  options[name] ?? smsKinds[kind].options[name]?.preset ?? ''

const secretOf = ({ secret }: SmsProvider): string => secret ?? ''

export const smsKinds: Readonly<Record<SmsProviderKind, SmsKind>> = {
  kavenegar: {
    options: {
      template: { about: 'name of the template with %token' },
      base: { about: 'address', preset: 'https://api.kavenegar.com' },
    },
    secret: 'needed',
    dialect: (to) => kavenegar(option(to, 'base'), secretOf(to), option(to, 'template')),
  },
  'sms.ir': {
    options: {
      template: { about: 'number of the template' },
      parameter: { about: 'the template’s name for the code', preset: 'CODE' },
      base: { about: 'address', preset: 'https://api.sms.ir' },
    },
    secret: 'needed',
    dialect: (to) =>
      smsIr(
        option(to, 'base'),
        secretOf(to),
        Number(option(to, 'template')),
        option(to, 'parameter'),
      ),
  },
  twilio: {
    options: {
      account: { about: 'account SID' },
      from: { about: 'number or name that sends' },
      base: { about: 'address, of services that copy it', preset: 'https://api.twilio.com' },
    },
    secret: 'needed',
    dialect: (to, text) =>
      twilio({
        base: option(to, 'base'),
        account: option(to, 'account'),
        token: secretOf(to),
        from: option(to, 'from'),
        text,
      }),
  },
  webhook: {
    options: {
      url: { about: 'address that is posted to' },
      body: {
        about: 'body with {phone}, {local} and {code} in it',
        preset: '{"phone":"{phone}","code":"{code}"}',
      },
    },
    secret: 'optional',
    dialect: (to) =>
      webhook({ url: option(to, 'url'), authorization: to.secret, template: option(to, 'body') }),
  },
  command: {
    options: { command: { about: 'program and arguments; gets JSON on standard input' } },
    secret: 'none',
    dialect: null,
  },
  log: { options: {}, secret: 'none', dialect: null },
}

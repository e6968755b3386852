import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  carries,
  isFixed,
  isOn,
  topics,
  ways,
  type TopicChoices,
  type Topic,
  type Way,
} from '../../business/notices/recipients/topics'
import { latinDigits } from '../../domain/digits'
import { maskEmail, maskWebhook } from '../../business/notices/recipients/masks'
import { makeSigningSecret } from '../../business/notices/signature'
import { ownersOnly } from '../../business/users/members'
import { addressBlocks } from '../../gateway/net/address'
import type { Customer } from '../customer'
import { guessing } from '../guessing'
import { visitOf } from '../page-head'
import { Refusal } from '../refusal'
import type { ConsoleParts } from './parts'

const oneOf = <Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>(Type.Union(names.map((name) => Type.Literal(name))))

const Choosing = Type.Object({ way: oneOf(ways), topic: oneOf(topics), on: Type.Boolean() })
const Email = Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }) })
const Code = Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) })
const Webhook = Type.Object({ url: Type.String({ minLength: 1, maxLength: 500 }) })

const choiceViews = (of: (way: Way) => TopicChoices | null) =>
  topics.map((topic) => ({
    topic,
    ways: ways.map((way) => {
      const choices = of(way)
      return {
        way,
        /** Whether there is such a way for it at all. */
        can: choices !== null && carries(way, topic),
        on: choices !== null && isOn(way, topic, choices),
        fixed: isFixed(way, topic),
      }
    }),
  }))

async function waysOf(parts: ConsoleParts, who: Customer) {
  const [settings, hook, hasMail] = await Promise.all([
    parts.holderSettings.find(who.person),
    parts.accountWebhooks.find(who.account),
    parts.hasMail(),
  ])
  const webhook = who.role === 'owner' ? hook : null
  // An operator who looks sees that there is one, and not which.
  const isLook = who.look !== undefined
  const shown = (email: string | null) => (email !== null && isLook ? maskEmail(email) : email)
  return {
    /** Null until it was chosen: then Persian. */
    language: settings.language,
    email: shown(settings.email),
    email_pending: shown(settings.emailPending),
    /** Without a mail server of the operator there is no mail. */
    has_mail: hasMail,
    /** Of the account, for its owners. */
    webhook: webhook === null ? null : { url: isLook ? maskWebhook(webhook.url) : webhook.url },
    choices: choiceViews((way) =>
      way === 'webhook' ? (webhook?.choices ?? null) : settings.choices[way],
    ),
  }
}

/**
 * `/app/api/notice-ways`: how a person is told of what, in which language and at which address;
 * `…/webhook`: where the programs of the account are told, signed by a secret that is shown once.
 */
export const noticeWaysApi = (parts: ConsoleParts) => {
  const { customer, holderSettings } = parts
  return new Elysia({ prefix: '/notice-ways', normalize: false })
    .get('/', async ({ request }) => waysOf(parts, await customer(request)))
    .put(
      '/choice',
      async ({ request, body }) => {
        const who = await customer(request)
        await choose(parts, who, body)
        return await waysOf(parts, who)
      },
      { body: Choosing },
    )
    .put(
      '/language',
      async ({ request, body }) => {
        const { person } = await customer(request)
        await holderSettings.setLanguage(person, body.language)
        return { language: body.language }
      },
      { body: Type.Object({ language: oneOf(['fa', 'en'] as const) }) },
    )
    .use(emailApi(parts))
    .use(webhookApi(parts))
}

/** `…/email`: an address, kept once the code that was sent there comes back. */
const emailApi = (parts: ConsoleParts) => {
  const { customer, holderSettings, emailCodes } = parts
  return new Elysia({ normalize: false })
    .post(
      '/email',
      async ({ request, body }) => {
        const { person } = await customer(request)
        const { language } = visitOf(request.headers)
        return { email: await emailCodes.ask(person, body.email, language) }
      },
      { body: Email },
    )
    .post(
      '/email/check',
      async ({ request, body }) => {
        const who = await customer(request)
        const blocks = addressBlocks(parts.addressOf(request))
        await guessing(parts.limits, blocks, (guess) =>
          emailCodes.check(guess, who.person, latinDigits(body.code).trim()),
        )
        parts.changed()
        return await waysOf(parts, who)
      },
      { body: Code },
    )
    .delete('/email', async ({ request }) => {
      const who = await customer(request)
      await holderSettings.removeEmail(who.person)
      parts.changed()
      return await waysOf(parts, who)
    })
}

/** `…/webhook`, for owners. */
const webhookApi = (parts: ConsoleParts) => {
  const { customer, accountWebhooks } = parts
  return new Elysia({ normalize: false })
    .put(
      '/webhook',
      async ({ request, body }) => {
        const who = await customer(request)
        ownersOnly(who)
        const url = URL.parse(body.url)
        if (url === null || url.protocol !== 'https:' || url.username !== '')
          throw new Refusal(400, 'webhook_invalid')
        if (!parts.mayBePublic(url)) throw new Refusal(400, 'webhook_private')
        const secret = makeSigningSecret()
        await accountWebhooks.save(who.person, who.account, { url: url.href, secret })
        parts.changed()
        return { url: url.href, secret }
      },
      { body: Webhook },
    )
    .delete('/webhook', async ({ request }) => {
      const who = await customer(request)
      ownersOnly(who)
      await accountWebhooks.remove(who.person, who.account)
      parts.changed()
      return await waysOf(parts, who)
    })
}

async function choose(
  { holderSettings, accountWebhooks }: ConsoleParts,
  who: Customer,
  { way, topic, on }: { readonly way: Way; readonly topic: Topic; readonly on: boolean },
): Promise<void> {
  if (!carries(way, topic) || isFixed(way, topic)) throw new Refusal(400, 'choice_fixed')
  if (way !== 'webhook') return await holderSettings.choose(who.person, way, topic, on)
  ownersOnly(who)
  await accountWebhooks.choose(who.person, who.account, topic, on)
}

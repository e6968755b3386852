import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { PriceCard } from '../../src/domain/model'
import { openCatalogue } from '../../src/gateway/catalogue/open-catalogue'
import { resolveAny } from '../../src/gateway/catalogue/resolve'
import { modelView, openModelViews } from '../../src/gateway/catalogue/view'
import { entry } from './entries'

const picture = entry('picture', {
  type: 'image',
  capabilities: { sizes: ['1024x1024'] },
  card: {
    version: 'v',
    validFrom: 0 as Ms,
    lines: [{ meter: 'image', unit: 'each', price: '0.04' }],
  },
})
const chat = entry('chat', {
  name: 'Chat',
  ownedBy: 'maker',
  contextLength: 128_000,
  maxOutputTokens: 16_384,
  capabilities: { streaming: true, tools: true, json: true, vision: false },
  created: 1_715_558_400_999 as Ms,
})

function opened() {
  const catalogue = openCatalogue()
  catalogue.load([picture, chat, entry('resting', { status: 'off' })])
  return { catalogue, views: openModelViews(catalogue) }
}
const idsOf = (json: string): readonly string[] =>
  (JSON.parse(json) as { data: { id: string }[] }).data.map(({ id }) => id)

describe('a model on the wire', () => {
  test('has the fields of the specification, when it was made, and since when its prices hold', () => {
    const { catalogue } = opened()
    expect(modelView(resolveAny(catalogue, 'chat'))).toEqual({
      id: 'chat',
      object: 'model',
      created: 1_715_558_400,
      owned_by: 'maker',
      name: 'Chat',
      type: 'chat',
      description: null,
      context_length: 128_000,
      max_output_tokens: 16_384,
      capabilities: { streaming: true, tools: true, json: true, vision: false },
      is_free: false,
      pricing: { input_per_million: '2', output_per_million: '8' },
      pricing_unit: 'million_tokens',
      pricing_updated_at: null,
    })
  })

  test('tells since when its prices hold, and which are decided for later', () => {
    const catalogue = openCatalogue()
    const card = { ...picture.card, validFrom: 1_715_558_400_000 as Ms } as PriceCard
    const lines = [{ meter: 'image', unit: 'each', price: '0.05' }] as const
    const next = { version: '2', validFrom: 1_815_558_400_000 as Ms, lines }
    catalogue.load([{ ...picture, card }], new Map([['picture', next]]))
    expect(modelView(resolveAny(catalogue, 'picture'))).toMatchObject({
      pricing: { per_image: '0.04' },
      pricing_updated_at: 1_715_558_400,
      pricing_next: { from: 1_815_558_400, pricing: { per_image: '0.05' } },
    })
  })

  test('says of each capability of the specification whether it has it', () => {
    const { catalogue } = opened()
    expect(modelView(resolveAny(catalogue, 'picture')).capabilities).toEqual({
      streaming: false,
      tools: false,
      json: false,
      vision: false,
      sizes: ['1024x1024'],
    })
  })

  test('tells neither its routes nor what they cost', () => {
    const { catalogue, views } = opened()
    const json = views.oneJson(resolveAny(catalogue, 'chat'))
    expect(json).not.toMatch(/route|vendor|priority|weight|card|traits/)
    expect(JSON.parse(json)).toEqual(modelView(resolveAny(catalogue, 'chat')))
  })
})

describe('the list of models', () => {
  test('holds what is on sale, by id, and only the type that was asked for', () => {
    const { catalogue, views } = opened()
    expect(JSON.parse(views.listJson(null))).toEqual({
      object: 'list',
      data: catalogue.onSale().map(modelView),
    })
    expect(idsOf(views.listJson(null))).toEqual(['chat', 'picture'])
    expect(idsOf(views.listJson('image'))).toEqual(['picture'])
    expect(JSON.parse(views.listJson('music'))).toEqual({ object: 'list', data: [] })
  })

  test('follows the catalogue without being told', () => {
    const { catalogue, views } = opened()
    const before = resolveAny(catalogue, 'chat')
    expect(idsOf(views.listJson(null))).toEqual(['chat', 'picture'])
    expect(views.oneJson(before)).toContain('"name":"Chat"')
    catalogue.load([{ ...chat, name: 'Chat again' }])
    expect(idsOf(views.listJson(null))).toEqual(['chat'])
    expect(views.listJson('chat')).toContain('Chat again')
    expect(views.oneJson(resolveAny(catalogue, 'chat'))).toContain('Chat again')
    views.reload()
    expect(idsOf(views.listJson('image'))).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { settingNamed } from '../../src/business/settings/rules'
import type { Ms } from '../../src/domain/clock'
import { isOnForHour, onForHour } from '../../src/gateway/settings/on-for-hour'
import { registry, settingKeys } from '../../src/gateway/settings/registry'
import { settingText } from '../../src/business/settings/setting-text'
import { openSettings, settingIn, type FixedSettings } from '../../src/business/settings/settings'
import type { SettingType } from '../../src/gateway/settings/types'
import { memoryStorage } from '../storage/folder'

const now = Date.UTC(2026, 10, 22, 13, 10) as Ms

describe('every setting', () => {
  test.each(settingKeys.map((key) => [registry[key].name, key] as const))(
    '%s has a default that it accepts, a name and a meaning of its own',
    (name, key) => {
      const type: SettingType = registry[key].type
      const preset: unknown = type.parse(registry[key].preset)
      expect(type.parse(type.show(preset))).toEqual(preset)
      expect(settingNamed(name)).toBe(key)
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
      expect(registry[key].about.length).toBeGreaterThan(20)
    },
  )

  test('is called differently from every other, by command and by variable', () => {
    const names = settingKeys.map((key) => registry[key].name)
    expect(new Set(names).size).toBe(names.length)
    const variables = settingKeys.flatMap((key) => registry[key].variable ?? [])
    expect(new Set<string>(variables).size).toBe(variables.length)
  })

  test('any text is refused with what it must be, or kept in a spelling that reads the same', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom('on', 'off', 'none', '', '0', '-1', '1.5', '0.0000000001', '1e3', ' 5', '٥'),
      fc.constantFrom('toString', 'constructor', '__proto__'),
      fc.nat().map(String),
    )
    fc.assert(
      fc.property(fc.constantFrom(...settingKeys), texts, (key, text) => {
        const type: SettingType = registry[key].type
        let kept: string
        try {
          kept = settingText(key, text, 'it', now)
        } catch (thrown) {
          expect(String(thrown)).toContain(`it must be ${type.written}`)
          return
        }
        if (type.kept === undefined) expect(type.parse(kept)).toEqual(type.parse(text))
        if (type.kept === undefined) expect(settingText(key, kept, 'it', now)).toBe(kept)
        expect(type.show(type.parse(kept))).toBe(kept)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the settings in force', () => {
  const open = async (fixed: FixedSettings = {}) => {
    const { settings: store } = memoryStorage()
    const faults: unknown[] = []
    const live = await openSettings({ store, fixed, onFault: (fault) => faults.push(fault) })
    return { store, faults, ...live }
  }

  test('are defaults, then what a command said, then what the environment says', async () => {
    const { store, values, reload } = await open({ addressRequestsPerMinute: '7' })
    expect(values).toMatchObject({ addressRequestsPerMinute: 7, failedAttempts: 20 })
    await store.set('address-rpm', '9')
    await store.set('failed-attempts', '3')
    expect(values.failedAttempts).toBe(20)
    await reload()
    expect(values).toMatchObject({ addressRequestsPerMinute: 7, failedAttempts: 3 })
    expect(settingIn('failedAttempts', {}, await store.all())).toEqual({
      text: '3',
      source: 'command',
    })
    await store.unset('failed-attempts')
    await reload()
    expect(values.failedAttempts).toBe(20)
  })

  test('stay as they were when what is kept cannot be read, and the fault is told', async () => {
    const { store, values, reload, faults } = await open()
    await store.set('kyc-ceiling', '5')
    await reload()
    await store.set('kyc-ceiling', 'a lot')
    await store.set('streaming', 'off')
    await reload()
    expect(Number(values.kycCeiling)).toBe(5_000_000_000)
    expect(values.streaming).toBe(false)
    expect(String(faults)).toContain('must be an amount in dollars from 0, not a lot')
  })

  test('leave alone what the program keeps for itself beside them', async () => {
    const { store } = await open()
    expect((await store.all()).has('catalogue_version')).toBe(true)
    expect(() => settingNamed('catalogue_version')).toThrow('setting_not_found')
  })
})

describe('a switch for an hour', () => {
  const later = (minutes: number) => (now + minutes * 60_000) as Ms
  const kept = settingText('logVendorWords', 'on', 'it', now)

  test('is kept as the time it was switched on, so that a restart changes nothing', () => {
    expect(kept).toBe('2026-11-22T13:10:00.000Z')
    expect(onForHour.parse(kept)).toBe(now)
    expect(settingText('logVendorWords', 'off', 'it', now)).toBe('off')
  })

  test('ends by itself, and shows until when it is on', () => {
    const since = onForHour.parse(kept)
    expect([0, 59.9, 60, 600].map((minutes) => isOnForHour(since, later(minutes)))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(onForHour.plain(since, later(59))).toBe('on until 2026-11-22T14:10:00.000Z')
    expect(onForHour.plain(since, later(60))).toBe(false)
    expect(onForHour.plain(null, now)).toBe(false)
  })

  test('is off where the clock was set back', () => {
    expect(isOnForHour(now, later(-1))).toBe(false)
  })

  test('cannot be switched on for another time', () => {
    for (const text of [kept, '2099-01-01T00:00:00.000Z', 'forever', ''])
      expect(() => settingText('logVendorWords', text, 'it', now)).toThrow('it must be on or off')
  })
})

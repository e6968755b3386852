import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openCalibration } from '../../src/gateway/metering/open-calibration'

describe('the calibration of a model', () => {
  test('starts where its vendor is known to stand, and moves from there to what is counted', () => {
    const calibration = openCalibration(new Map())
    expect(calibration.factor('plain')).toBe(1)
    expect(calibration.factor('claude', 1.5)).toBe(1.5)
    calibration.learn('claude', 1000, 2500, 1.5)
    expect(calibration.factor('claude', 1.5)).toBeCloseTo(1.55)
    for (let calls = 0; calls < 200; calls++) calibration.learn('claude', 1000, 2500, 1.5)
    expect(calibration.factor('claude', 1.5)).toBeCloseTo(2.5)
    expect([...calibration.takeChanged().keys()]).toEqual(['claude'])
    expect(calibration.takeChanged().size).toBe(0)
  })

  test('goes on where it was left, whatever it started with', () => {
    expect(openCalibration(new Map([['claude', 2]])).factor('claude', 1.5)).toBe(2)
  })

  test('moves less by a short prompt, and by one count never far', () => {
    const calibration = openCalibration(new Map())
    calibration.learn('short', 10, 40)
    expect(calibration.factor('short')).toBeCloseTo(1.0015)
    calibration.learn('odd', 5000, 50_000_000)
    expect(calibration.factor('odd')).toBeCloseTo(1.15)
  })

  test('any counts leave it between its bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double())), (counts) => {
        const calibration = openCalibration(new Map())
        for (const [estimated, actual] of counts) calibration.learn('m', estimated, actual)
        const factor = calibration.factor('m')
        expect(factor).toBeGreaterThanOrEqual(0.6)
        expect(factor).toBeLessThanOrEqual(4)
      }),
    )
  })
})

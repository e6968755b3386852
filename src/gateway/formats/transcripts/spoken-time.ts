const places = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d{1,3})?)$/

/** Seconds of `1:02:03.5`, `02:03` or a plain number; null for anything else. */
export function spokenTime(value: unknown): number | null {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^\d+(?:[.,]\d+)?s?$/.test(text)) return Number(text.replace(',', '.').replace('s', ''))
  const [, hours = '0', minutes = '', seconds = ''] = places.exec(text) ?? []
  if (minutes === '') return null
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}

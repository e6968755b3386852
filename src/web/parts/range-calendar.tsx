import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { movedDay, weekEnd, weeksOf } from '../calendar'
import { useNumbers } from '../numbers'
import { daysIn, isoDay, maxDays, type ChosenRange, type DayRange } from '../ranges'

interface RangeCalendarProps {
  readonly value: ChosenRange
  /** Beginning of the day that it is, as `todayIn` tells it. */
  readonly now: number
  readonly onChoose: (range: DayRange) => void
}

const dayMs = 86_400_000

const rangeBetween = (a: string, b: string): DayRange =>
  a < b ? { from: a, to: b } : { from: b, to: a }

const distance = (a: string, b: string): number =>
  Math.abs(Date.parse(a) - Date.parse(b)) / dayMs + 1

/** A month whose first and last chosen days make a range; moved in as the ARIA patterns have grids of dates. */
export function RangeCalendar({ value, now, onChoose }: RangeCalendarProps) {
  const t = useTranslations('dates')
  const { locale, monthName } = useNumbers()
  const today = isoDay(now)
  const chosen = value === null ? null : daysIn(value, locale, now)
  const [begun, setBegun] = useState<string | null>(null)
  const [active, setActive] = useState(chosen?.to ?? today)
  const title = useId()
  const grid = useActiveFocus(active)
  const isAllowed = (day: string) =>
    day <= today && (begun === null || distance(begun, day) <= maxDays)
  const go = (day: string) => setActive(day > today ? today : day)
  const choose = (day: string) => {
    if (!isAllowed(day)) return
    if (begun === null) {
      setActive(day)
      setBegun(day)
    } else onChoose(rangeBetween(begun, day))
  }
  const shown = begun === null ? chosen : rangeBetween(begun, active)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayByKey(event, active, locale)
    if (next === null) return
    event.preventDefault()
    grid.focusNext()
    go(next)
  }
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <MonthButton by={-1} onGo={() => go(movedDay(active, { months: -1 }, locale))} />
        <Text id={title} fw={600} size="sm" aria-live="polite">
          {monthName(active)}
        </Text>
        <MonthButton
          by={1}
          isOff={weeksOf(active, locale).flat().includes(today)}
          onGo={() => go(movedDay(active, { months: 1 }, locale))}
        />
      </Group>
      <table
        role="grid"
        aria-labelledby={title}
        className="calendar"
        ref={grid.ref}
        onKeyDown={onKeyDown}
      >
        <WeekHead day={active} />
        <tbody>
          {weeksOf(active, locale).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, at) =>
                day === null ? (
                  <td key={`empty ${at}`} />
                ) : (
                  <DayCell
                    key={day}
                    day={day}
                    range={shown}
                    isToday={day === today}
                    isActive={day === active}
                    isAllowed={isAllowed(day)}
                    onChoose={() => choose(day)}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" className="soft" role="status" mt={6}>
        {t(begun === null ? 'chooseFirst' : 'chooseLast')}
      </Text>
    </div>
  )
}

/** Keeps the focus on the active day, once keys have moved it. */
function useActiveFocus(active: string) {
  const ref = useRef<HTMLTableElement>(null)
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    ref.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus()
  }, [active])
  return { ref, focusNext: () => void (isWanted.current = true) }
}

/** Where a key leads; null for keys that lead nowhere. */
function dayByKey(event: KeyboardEvent, day: string, locale: string): string | null {
  const forward = locale === 'fa' ? 'ArrowLeft' : 'ArrowRight'
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return movedDay(day, { days: event.key === forward ? 1 : -1 }, locale)
    case 'ArrowUp':
      return movedDay(day, { days: -7 }, locale)
    case 'ArrowDown':
      return movedDay(day, { days: 7 }, locale)
    case 'Home':
      return weekEnd(day, 'first', locale)
    case 'End':
      return weekEnd(day, 'last', locale)
    case 'PageUp':
      return movedDay(day, event.shiftKey ? { years: -1 } : { months: -1 }, locale)
    case 'PageDown':
      return movedDay(day, event.shiftKey ? { years: 1 } : { months: 1 }, locale)
    default:
      return null
  }
}

interface MonthButtonProps {
  readonly by: 1 | -1
  readonly isOff?: boolean
  readonly onGo: () => void
}

function MonthButton({ by, isOff = false, onGo }: MonthButtonProps) {
  const t = useTranslations('dates')
  const { locale } = useNumbers()
  const Icon = (by === 1) === (locale === 'fa') ? IconChevronLeft : IconChevronRight
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      disabled={isOff}
      aria-label={t(by === 1 ? 'nextMonth' : 'previousMonth')}
      onClick={onGo}
    >
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  )
}

/** @param day any: its week has all names */
function WeekHead({ day }: { readonly day: string }) {
  const { locale, weekday } = useNumbers()
  const first = weekEnd(day, 'first', locale)
  const days = Array.from({ length: 7 }, (_, at) => movedDay(first, { days: at }, locale))
  return (
    <thead>
      <tr>
        {days.map((each) => (
          <th key={each} scope="col" abbr={weekday(each, 'long')}>
            {weekday(each, 'narrow')}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface DayCellProps {
  readonly day: string
  readonly range: DayRange | null
  readonly isToday: boolean
  readonly isActive: boolean
  readonly isAllowed: boolean
  readonly onChoose: () => void
}

function DayCell({ day, range, isToday, isActive, isAllowed, onChoose }: DayCellProps) {
  const { fullDate, dayNumber } = useNumbers()
  const isIn = range !== null && day >= range.from && day <= range.to
  const isEnd = range !== null && (day === range.from || day === range.to)
  return (
    <td role="gridcell" aria-selected={isIn} className={isIn ? 'in-range' : undefined}>
      <button
        type="button"
        data-day={day}
        tabIndex={isActive ? 0 : -1}
        aria-label={fullDate(day)}
        aria-disabled={!isAllowed}
        aria-current={isToday ? 'date' : undefined}
        className={isEnd ? 'day end' : 'day'}
        onClick={onChoose}
      >
        {dayNumber(day)}
      </button>
    </td>
  )
}

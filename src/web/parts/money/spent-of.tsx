import { Progress, Text } from '@mantine/core'
import { useNumbers } from '../../numbers'

const nearShare = 80

interface SpentOfProps {
  readonly spent: string
  /** Null for none. */
  readonly limit: string | null
  readonly noLimit: string
  /** What the bar says to who does not see it. */
  readonly label: string
}

/** Spending of a limit; a bar where there is one. */
export function SpentOf({ spent, limit, noLimit, label }: SpentOfProps) {
  const { usd } = useNumbers()
  const share = limit === null ? 0 : limitShare(spent, limit)
  return (
    <div>
      <Text size="sm" className="number">
        {usd(spent, 6)} <span className="soft">/ {limit === null ? noLimit : usd(limit, 6)}</span>
      </Text>
      {limit !== null && (
        <Progress
          mt={6}
          size={6}
          value={share}
          color={share >= 100 ? 'red' : share >= nearShare ? 'saffron' : 'firuze'}
          aria-label={label}
        />
      )}
    </div>
  )
}

/** Whole percents, at most 100; a limit of nothing is used up. */
const limitShare = (spent: string, limit: string): number =>
  Number(limit) === 0 ? 100 : Math.min(100, Math.floor((100 * Number(spent)) / Number(limit)))

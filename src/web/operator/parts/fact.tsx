import { Text } from '@mantine/core'

interface FactProps {
  readonly name: string
  readonly value: string
  readonly isCode?: boolean
}

/** Value below its name. */
export const DeskFact = ({ name, value, isCode = false }: FactProps) => (
  <div style={{ minWidth: 0 }}>
    <Text size="sm" className="soft">
      {name}
    </Text>
    {isCode ? (
      <bdi className="code" dir="ltr" lang="en" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </bdi>
    ) : (
      <Text className="number">{value}</Text>
    )}
  </div>
)

import { Text } from '@mantine/core'
import { Soft } from '../../parts/panel'

interface FactProps {
  readonly name: string
  readonly value: string
  readonly isCode?: boolean
}

/** Value below its name. */
export const DeskFact = ({ name, value, isCode = false }: FactProps) => (
  <div style={{ minWidth: 0 }}>
    <Soft>{name}</Soft>
    {isCode ? (
      <bdi className="code" dir="ltr" lang="en" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </bdi>
    ) : (
      <Text className="number">{value}</Text>
    )}
  </div>
)

import { Anchor, Table, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Code } from '../panel'

interface UsageLine {
  readonly name: string
  readonly requests: number
  readonly errors: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly usd: string
  /** What a click on the name does. */
  readonly onChoose?: () => void
}

interface UsageTableProps {
  readonly caption: string
  readonly head: string
  readonly lines: readonly UsageLine[]
  /** Names are ids, written from left to right. */
  readonly areIds: boolean
}

/** Table of spending, a line each. */
export function UsageTable({ caption, head, lines, areIds }: UsageTableProps) {
  const t = useTranslations('usage')
  const { count, usd } = useNumbers()
  return (
    <section className="card">
      <Table.ScrollContainer minWidth={620} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table className="table" aria-label={caption} horizontalSpacing="lg" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{head}</Table.Th>
              <Table.Th ta="end">{t('cost')}</Table.Th>
              <Table.Th ta="end">{t('requests')}</Table.Th>
              <Table.Th ta="end">{t('errors')}</Table.Th>
              <Table.Th ta="end">{t('input')}</Table.Th>
              <Table.Th ta="end">{t('output')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <Table.Tr key={`${line.name} ${line.usd} ${line.requests}`}>
                <Table.Td>
                  <LineName line={line} isId={areIds} />
                </Table.Td>
                <Table.Td ta="end" className="number">
                  {usd(line.usd, 6)}
                </Table.Td>
                <Table.Td ta="end" className="number">
                  {count(line.requests)}
                </Table.Td>
                <Table.Td ta="end" className="number">
                  {count(line.errors)}
                </Table.Td>
                <Table.Td ta="end" className="number">
                  {count(line.input_tokens)}
                </Table.Td>
                <Table.Td ta="end" className="number">
                  {count(line.output_tokens)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

function LineName({ line, isId }: { readonly line: UsageLine; readonly isId: boolean }) {
  const name = isId ? <Code>{line.name}</Code> : <bdi>{line.name}</bdi>
  if (line.onChoose === undefined) return <Text size="sm">{name}</Text>
  return (
    <Anchor component="button" type="button" size="sm" onClick={line.onChoose} ta="start">
      {name}
    </Anchor>
  )
}

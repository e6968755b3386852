import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PartTitleProps {
  readonly id: string
  readonly children: ReactNode
}

/** Heading of a part of a page. */
export const PartTitle = ({ id, children }: PartTitleProps) => (
  <Title order={2} fz="md" id={id}>
    {children}
  </Title>
)

interface PanelProps {
  /** Of the heading, which names the section. */
  readonly id: string
  readonly title: ReactNode
  readonly lead?: ReactNode
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Section of a page on a card, with its heading. */
export const Panel = ({ id, title, lead, actions, children }: PanelProps) => (
  <section className="card panel" aria-labelledby={id}>
    <Group justify="space-between" align={lead === undefined ? 'center' : 'flex-start'} mb="sm">
      <div style={lead === undefined ? {} : { flex: 1, minWidth: actions ? 200 : 0 }}>
        <PartTitle id={id}>{title}</PartTitle>
        {lead !== undefined && <Soft>{lead}</Soft>}
      </div>
      {actions}
    </Group>
    {children}
  </section>
)

/** Secondary sentence. */
export const Soft = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" className="soft">
    {children}
  </Text>
)

interface CodeProps {
  readonly isSoft?: boolean
  readonly children: ReactNode
}

/** Id, name or address as programs write it. */
export const Code = ({ isSoft = false, children }: CodeProps) => (
  <bdi className={isSoft ? 'code soft' : 'code'} dir="ltr" lang="en">
    {children}
  </bdi>
)

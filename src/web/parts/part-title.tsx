import { Title } from '@mantine/core'

/** Heading of a part of a page. */
export const PartTitle = ({ id, children }: { readonly id: string; readonly children: string }) => (
  <Title order={2} fz="md" id={id}>
    {children}
  </Title>
)

/** Returns only the edited fields: rules for new values do not hold for older stored ones. */
export function changedFields<T extends object>(values: T, stored: T): Partial<T> {
  const fields: Partial<T> = { ...values }
  for (const key in values) if (values[key] === stored[key]) delete fields[key]
  return fields
}

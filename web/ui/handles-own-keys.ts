const WRITES = 'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button])'

/** True if a key belongs to a field, a menu or a dialog. */
export function handlesOwnKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${WRITES}, [role=dialog], [role=menu], [role=listbox]`) !== null
}

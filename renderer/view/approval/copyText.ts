/** True when the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The host grants no permissions, and a page that was pressed needs none for this older way.
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const hear = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', hear, { capture: true, once: true });
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', hear, { capture: true });
  }
}

import { useEffect } from 'react';

const GUARDS = '[data-base-ui-focus-guard][aria-hidden]';

/**
 * A popup of Base UI has empty elements before and after it that pass the focus on. They are hidden from assistive
 * technology and take the focus all the same, which contradicts itself; unhidden they do what they are there for.
 */
export function useFocusGuards(whole: HTMLElement | null): void {
  useEffect(() => {
    if (!whole) return undefined;
    const unhide = (): void => {
      for (const guard of whole.querySelectorAll(GUARDS)) guard.removeAttribute('aria-hidden');
    };
    const observer = new MutationObserver(unhide);
    observer.observe(whole, { childList: true, subtree: true, attributeFilter: ['aria-hidden'] });
    unhide();
    return () => observer.disconnect();
  }, [whole]);
}

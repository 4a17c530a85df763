import { Plus, Search, Settings } from 'lucide-react';
import { useState } from 'react';
import { go, usePlace } from '../../store/place.ts';
import { useText } from '../../text/text.ts';
import { Places } from './Places.tsx';
import { SessionTree } from './SessionTree.tsx';
import './sidebar.css';

/** Where a person can go: the places of the whole machine, and every Session. */
export function Sidebar() {
  const { common, shell } = useText();
  const settings = usePlace((state) => state.place.kind === 'settings');
  const [query, setQuery] = useState('');
  return (
    <nav className="side" data-region="sidebar" aria-label={shell.navigation}>
      <button type="button" className="brand" onClick={() => go({ kind: 'home' })}>
        <span className="mark" aria-hidden="true" />
        {common.product}
      </button>
      <Places />
      <button type="button" className="button side-new" onClick={() => go({ kind: 'new' })}>
        <Plus size={14} aria-hidden="true" />
        <span className="clip">{shell.newSession}</span>
      </button>
      <label className="side-search">
        <Search size={14} aria-hidden="true" />
        <span className="heard">{shell.search}</span>
        <input
          id="session-search"
          type="search"
          className="field"
          placeholder={shell.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setQuery('');
          }}
        />
      </label>
      <SessionTree query={query} />
      <button
        type="button"
        className="place side-foot"
        aria-current={settings ? 'page' : undefined}
        onClick={() => go({ kind: 'settings' })}
      >
        <Settings size={14} aria-hidden="true" />
        <span className="clip">{shell.settings}</span>
      </button>
    </nav>
  );
}

// Tables: the list of them, and one of them.
export function TablePage(given: { path: string }) {
  return (
    <div class="notice">
      <h1>Tables</h1>
      <p>{given.path}</p>
    </div>
  );
}

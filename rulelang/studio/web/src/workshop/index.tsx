// The page to write on.
export function Workshop(given: { folder: string }) {
  return (
    <div class="notice">
      <h1>Workshop</h1>
      <p>{given.folder}</p>
    </div>
  );
}

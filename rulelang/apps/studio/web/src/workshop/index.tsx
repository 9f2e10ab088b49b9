// The page to write on.
export { Workshop } from "./page";

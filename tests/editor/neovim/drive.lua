-- Drives a headless Neovim through what an author does, and writes what came of it to $TOLD as JSON.
-- $SETTINGS is the settings of docs/editors.md, $FILE a trait of a copy of a game.

local told = { steps = {} }

local function finish(why)
  told.why = why
  local out = io.open(os.getenv("TOLD"), "w")
  out:write(vim.fn.json_encode(told))
  out:close()
  vim.cmd("qa!")
end

-- What Neovim has had since 0.8, for Debian's 0.7.
if vim.fs == nil then
  vim.fs = {
    dirname = function(path) return vim.fn.fnamemodify(path, ":h") end,
    find = function(names, opts)
      local place = vim.fn.fnamemodify(opts.path, ":p"):gsub("/$", "")
      while place ~= "" do
        for _, name in ipairs(names) do
          if vim.fn.filereadable(place .. "/" .. name) == 1 then return { place .. "/" .. name } end
        end
        place = place:match("^(.*)/[^/]*$") or ""
      end
      return {}
    end,
  }
end
if vim.lsp.start == nil then
  local started
  vim.lsp.start = function(settings)
    started = started or vim.lsp.start_client(settings)
    vim.lsp.buf_attach_client(0, started)
    return started
  end
end

local function clients()
  return vim.tbl_values((vim.lsp.get_clients or vim.lsp.get_active_clients)())
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  for _, answer in pairs(answers) do
    if answer.err then error(method .. ": " .. answer.err.message) end
    return answer.result
  end
end

local function at(line, column)
  return { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }
end

local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(text, 1, true) then return number - 1, line end
  end
  error("no line has: " .. text)
end

local function put(number, text)
  vim.api.nvim_buf_set_lines(0, number, number + 1, false, { text })
end

local function mistakes()
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(0)) do table.insert(found, item.code or "?") end
  return found
end

local function until_mistakes(some)
  local done = vim.wait(60000, function() return (#mistakes() > 0) == some end, 50)
  if not done then error("waited in vain for " .. (some and "a mistake" or "no mistake")) end
end

local function main()
  dofile(os.getenv("SETTINGS"))
  vim.cmd("edit " .. os.getenv("FILE"))
  vim.wait(60000, function()
    local client = clients()[1]
    return client ~= nil and client.initialized == true and client.server_capabilities.completionProvider ~= nil
  end, 50)
  local encoding = clients()[1].offset_encoding

  -- completing a hook
  local number, line = line_of("forbid strike")
  put(number, "  forbid stri")
  local items = ask("textDocument/completion", at(number, #"  forbid stri")).items
  for _, item in ipairs(items) do
    if item.label == "strike(any, self)" then vim.lsp.util.apply_text_edits({ item.textEdit }, 0, encoding) end
  end
  told.completed = vim.api.nvim_buf_get_lines(0, number, number + 1, false)[1]
  put(number, line)

  -- fixing a slip
  put(number, (line:gsub("strike", "strikke")))
  until_mistakes(true)
  told.mistakes = mistakes()
  local params = vim.lsp.util.make_given_range_params({ number + 1, 0 }, { number + 1, 20 })
  params.context = { diagnostics = {} }
  local action = ask("textDocument/codeAction", params)[1]
  told.action = action.title
  vim.lsp.util.apply_workspace_edit(action.edit, encoding)
  told.fixed = vim.api.nvim_buf_get_lines(0, number, number + 1, false)[1] == line
  until_mistakes(false)

  -- running a scenario of the trait
  local lenses = ask("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params() })
  local run
  for _, lens in ipairs(lenses) do
    if lens.command.title == "Run" then run = run or lens.command end
  end
  told.passed = ask("workspace/executeCommand", { command = run.command, arguments = run.arguments })
  put(number, "  forbid strike(any, self) when self is missing because \"it is fed and safe in its burrow\"")
  told.failed = ask("workspace/executeCommand", { command = run.command, arguments = run.arguments })
  until_mistakes(true)
  told.after = mistakes()
end

local fine, why = pcall(main)
finish(fine and "done" or tostring(why))
